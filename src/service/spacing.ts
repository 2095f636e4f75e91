import type { Clock } from "#lib/clock.ts"

/**
 * Lets one caller through per interval, in the order of asking. It waits, and never looks at the time of day: a clock that jumps
 * can neither open nor block it.
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
