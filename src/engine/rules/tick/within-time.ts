import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"

/**
 * Stops waiting for a read after `ms`, so that one silent peer does not block the tick. Throws
 * `view.silent` (transient). `isOver` tells a long read that no caller waits for it any more.
 */
export async function withinTime<T>(
  clock: Clock,
  ms: number,
  what: string,
  read: (isOver: () => boolean) => Promise<T>,
): Promise<T> {
  const answered = new AbortController()
  const late = clock.sleep(ms, answered.signal).then(() => null)
  try {
    const first = await Promise.race([
      read(() => answered.signal.aborted).then((value) => ({ value })),
      late,
    ])
    if (first !== null) return first.value
    const message = `No answer within ${ms / 1000} s while ${what}`
    throw new AppError({ code: "view.silent", disposition: "transient", message, details: { ms } })
  } finally {
    answered.abort("answered")
  }
}
