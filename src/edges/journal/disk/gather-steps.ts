import type { Clock } from "#lib/clock.ts"
import type { GroupOptions } from "./group-commit.ts"

/**
 * A group waits for further steps at most this long, so that a crowd of orders shares its fsyncs
 * and its pages.
 */
const LONGEST_MS = 16
/**
 * And it has at most so many steps once a call waits for it, which bounds its commit in time and in
 * space.
 */
const MOST_STEPS = 256

/**
 * A group that no call waits for gathers steps for the longest time. Once a call waits, it is over
 * when a turn of the event loop brings no further step: a single order waits for no other. `turn`:
 * calls its argument in the next turn.
 */
export function gatherSteps(
  turn: (next: () => void) => void,
  clock: Pick<Clock, "now" | "sleep">,
): GroupOptions["schedule"] {
  return (flush, { countSteps, whenWanted }) => {
    const sinceMs = clock.now()
    const wanted = new AbortController()
    let known = 0
    const ask = (): void => {
      const steps = countSteps()
      const passedMs = clock.now() - sinceMs
      // Below zero the clock was set back.
      if (steps === known || steps >= MOST_STEPS || passedMs >= LONGEST_MS || passedMs < 0) flush()
      else {
        known = steps
        turn(ask)
      }
    }
    void clock.sleep(LONGEST_MS, wanted.signal).then(() => wanted.signal.aborted || flush())
    whenWanted(() => {
      // A reason of its own: without one each group would build an exception with its stack.
      wanted.abort("wanted")
      turn(ask)
    })
  }
}
