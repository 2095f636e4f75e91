import type { GroupOptions } from "./group-commit.ts"

/** A group waits for further steps at most this long, so that a crowd of orders shares its fsyncs and its pages. */
const LONGEST_MS = 16
/** And it has at most so many steps, which bounds its commit in time and in space. */
const MOST_STEPS = 256

/**
 * A group is over when a turn of the event loop brings no further step: a single order waits for no other. `turn`: calls its argument in the next
 * turn.
 */
export function gatherSteps(turn: (next: () => void) => void, nowMs: () => number): GroupOptions["schedule"] {
  return (flush, countSteps) => {
    const sinceMs = nowMs()
    let known = 0
    const ask = (): void => {
      const [steps, passedMs] = [countSteps(), nowMs() - sinceMs]
      // Below zero the clock was set back.
      if (steps === known || steps >= MOST_STEPS || passedMs >= LONGEST_MS || passedMs < 0) flush()
      else {
        known = steps
        turn(ask)
      }
    }
    turn(ask)
  }
}
