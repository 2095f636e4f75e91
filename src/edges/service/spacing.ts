import type { Clock } from "#lib/clock.ts"

/**
 * Lets one caller through per interval, in the order of the calls. It only waits and never reads
 * the time of day, so a clock that jumps can neither open nor block it.
 */
export function createSpacing(perSecond: number, clock: Clock): () => Promise<void> {
  const intervalMs = 1_000 / perSecond
  let tail: Promise<void> = Promise.resolve()
  return () => {
    const turn = tail
    tail = turn.then(() => clock.sleep(intervalMs))
    return turn
  }
}
