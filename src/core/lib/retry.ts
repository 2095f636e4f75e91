import { AppError } from "./app-error.ts"
import type { Clock } from "./clock.ts"

/**
 * Repeats one *read* up to `attempts` times (default 3) on `transient` failures. Never wrap a write
 * in this: the outbox repeats writes, where each repeat is visible. `retryAfterMs` in an error's
 * details is honoured up to `maxWaitMs`. Written by hand: p-retry waits by the system's timer, and
 * here the clock is an argument.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  options: {
    clock: Clock
    attempts?: number | ((error: AppError) => number)
    waitMs?: number
    maxWaitMs?: number
  },
): Promise<T> {
  const { attempts = 3 } = options
  const allowed = typeof attempts === "number" ? () => attempts : attempts
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (
        !(error instanceof AppError) ||
        error.disposition !== "transient" ||
        attempt >= allowed(error)
      )
        throw error
      const asked = error.details["retryAfterMs"]
      const waitMs =
        typeof asked === "number" ? asked : (options.waitMs ?? 100) * 2 ** (attempt - 1)
      if (waitMs > (options.maxWaitMs ?? 2_000)) throw error
      await options.clock.sleep(waitMs)
    }
  }
}

/** Awaited later, or never: until then a failure must not end the process. */
export function ignoreUnhandled<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined)
  return read
}
