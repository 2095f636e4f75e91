import { AppError } from "#lib/app-error.ts"

/**
 * Asked when nothing stands between a call and its leaving any more. A call waits for the disk, in
 * a cluster for the log, and the service's client for its turn; meanwhile an alarm may pause
 * everything, or the proof behind the call may grow old. `false` keeps the call here.
 */
export type MayLeave = () => boolean

/** Throws `engine.kept_here` (transient): nothing has left. */
export function leaveOnlyIf(mayLeave: MayLeave): void {
  if (mayLeave()) return
  const message = "A pause, or an old proof, has kept this call here; it is judged again"
  throw new AppError({ code: "engine.kept_here", disposition: "transient", message })
}

export function wasKeptHere(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "engine.kept_here"
}

/**
 * What a work has read of the chains counts so long for a call that tells a secret. Each reading
 * demands that far more time is left.
 */
const READING_LASTS_MS = 5 * 60_000

/**
 * A process that stood still reads the chains again before it tells a secret. A clock that was set
 * back or ahead by so much makes it read again too.
 */
export function isReadingFresh(readAtMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - readAtMs) <= READING_LASTS_MS
}
