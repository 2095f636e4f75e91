import type { Clock } from "#lib/clock.ts"

/** The work of orders takes about this much of one turn of the event loop. */
const SHARE_MS = 8

/**
 * Shares the turns of the event loop between the orders and everything else. One block may pay a
 * thousand orders, and their answers come together: applied in one turn they would keep timers,
 * reads and the interface waiting for a second.
 */
export type TurnShare = {
  /**
   * `null` while this turn has time left; else a promise of a later turn, in the order of the
   * calls.
   */
  readonly wait: () => Promise<void> | null
}

export function createTurnShare(clock: Clock): TurnShare {
  const turn = clock.turn
  if (turn === undefined) return { wait: () => null }
  const queue: (() => void)[] = []
  /** The start of this turn; `null` before its first work. */
  let startMs: number | null = null
  const isOver = (): boolean => {
    const passedMs = clock.now() - (startMs ?? clock.now())
    // Below zero the clock was set back.
    return passedMs >= SHARE_MS || passedMs < 0
  }

  async function followTurns(nextTurn: () => Promise<void>): Promise<void> {
    for (;;) {
      await nextTurn()
      startMs = queue.length === 0 ? null : clock.now()
      if (startMs === null) return
      do {
        queue.shift()?.()
        // The work that goes on now runs before these lines do.
        await null
      } while (queue.length > 0 && !isOver())
    }
  }

  return {
    wait: () => {
      if (startMs === null) {
        startMs = clock.now()
        void followTurns(turn)
      }
      return queue.length === 0 && !isOver()
        ? null
        : new Promise((resolve) => void queue.push(resolve))
    },
  }
}
