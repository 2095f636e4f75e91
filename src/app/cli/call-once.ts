import { randomUUID } from "node:crypto"
import type { Config } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { type CallOptions, callDaemon, type DaemonAnswer, firstCode } from "./call-daemon.ts"

/** A supervisor starts the daemon again within this time. */
const ASK_MS = 30_000
const PAUSE_MS = 500

type Ports = {
  readonly call: (options: CallOptions) => Promise<DaemonAnswer>
  readonly clock: Pick<Clock, "now" | "sleep">
}

/** Sends a command to the daemon of this configuration; it acts once. */
export function callDaemonOnce(
  config: Pick<Config, "dataDir">,
  clock: Ports["clock"],
  path: string,
  body: object,
  options: CallOptions,
): Promise<DaemonAnswer> {
  const call: Ports["call"] = (more) =>
    callDaemon(config, "POST", path, body, { ...options, ...more })
  return callOnce({ call, clock })
}

/**
 * Sends a command under a key of its own, and again under the same key while its answer is lost:
 * the daemon acts once, and repeats its answer. Throws the loss of the first answer when none
 * comes.
 */
export async function callOnce({ call, clock }: Ports): Promise<DaemonAnswer> {
  const key = randomUUID()
  const endMs = clock.now() + ASK_MS
  let loss: unknown = null
  for (;;) {
    const answer = await call({ key }).catch((error: unknown) => {
      const isSilence = error instanceof AppError && error.disposition !== "fatal"
      if (!isSilence || (loss === null && error.code !== "daemon.answer_lost")) throw error
      loss ??= error
      return null
    })
    if (answer !== null && firstCode(answer.body) !== "request.key_in_flight") return answer
    if (clock.now() >= endMs) {
      if (answer !== null) return answer
      throw loss
    }
    await clock.sleep(PAUSE_MS)
  }
}
