import type { FlagStore } from "#ports/journal/flags.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type { Clocked, Configured, HasJournal, Logged, Stoppable } from "../context.ts"
import { findOrderStops, type PausableOrder } from "../watches/pause.ts"

/**
 * Due work that waits for an event: the release of a lock, the end of a pause, enough agreeing
 * endpoints, or the end of a rest after an unexpected error. Kept in memory only: after a restart
 * each such row is tried once, and waits again.
 */
export type WorkWaits = {
  /**
   * The rows that wait for nothing now. `lock` names the lock that was waited for and is free.
   * `isRunning`: work of this order is running, so none of its rows is listed.
   */
  readonly listReady: (
    due: readonly WorkRow[],
    isRunning: (orderId: string) => boolean,
  ) => readonly Ready[]
  readonly forLock: (row: WorkRow, lock: string) => void
  readonly forResume: (row: WorkRow, order: PausableOrder) => void
  readonly forGate: (row: WorkRow, isOpen: () => boolean) => void
  readonly rest: (row: WorkRow, ms: number) => void
  readonly end: (row: WorkRow) => void
}

type Ready = { readonly row: WorkRow; readonly lock: string | null }

/**
 * Waiting work is performed at least this often: the order may be too late by now, and then it
 * ends.
 */
const RECHECK_MS = 30_000

export function createWorkWaits(
  context: HasJournal<FlagStore & Reservations> & Configured & Clocked & Logged & Stoppable,
): WorkWaits {
  const waits = new Map<string, Wait>()

  function park({ orderId, body }: WorkRow, wait: Pick<Wait, "lock" | "isOver">, ms: number): void {
    waits.set(orderId, { ...wait, body, untilMs: context.clock.now() + ms })
  }

  return {
    listReady: (due, isRunning) => {
      if (waits.size === 0) return due.map((row) => ({ row, lock: null }))
      const listed = new Set(due.map(({ orderId }) => orderId))
      // Work that waits from now on counts as running until its last write is on disk.
      for (const orderId of waits.keys())
        if (!listed.has(orderId) && !isRunning(orderId)) waits.delete(orderId)
      const ask = askOnce(context)
      return due.flatMap((row) => {
        const wait = waits.get(row.orderId)
        // Another event has moved the order on, so its work is another one.
        if (wait === undefined || wait.body !== row.body) return [{ row, lock: null }]
        return isTimeOver(wait) || ask(wait) ? [{ row, lock: wait.lock }] : []
      })
    },
    forLock: (row, lock) => {
      const isFree = (): boolean => !context.journal.listReserved(lock, row.orderId).has("")
      park(row, { lock, isOver: { key: lock, ask: isFree } }, RECHECK_MS)
    },
    forResume: (row, order) => {
      const goesOn = (): boolean => findOrderStops(context, order).length === 0
      const key = `pause ${order.rule} ${order.secondRule ?? ""} ${row.from}`
      park(row, { lock: null, isOver: { key, ask: goesOn } }, RECHECK_MS)
    },
    forGate: (row, isOpen) =>
      park(row, { lock: null, isOver: { key: `gate ${row.orderId}`, ask: isOpen } }, RECHECK_MS),
    rest: (row, ms) => park(row, { lock: null, isOver: { key: "rest", ask: () => false } }, ms),
    end: ({ orderId }) => void waits.delete(orderId),
  }

  /** A time that is further away than any wait was set before the clock was set back. */
  function isTimeOver({ untilMs }: Wait): boolean {
    const leftMs = untilMs - context.clock.now()
    return leftMs <= 0 || leftMs > RECHECK_MS
  }
}

/** `isOver` asks the journal; waits with the same key get the same answer. */
type Wait = {
  readonly body: string
  readonly lock: string | null
  readonly isOver: { readonly key: string; readonly ask: () => boolean }
  readonly untilMs: number
}

/**
 * Each question is asked once per poll, however many orders wait for its answer. The journal may
 * refuse the write of a question: its work waits on, and the other work goes on.
 */
function askOnce({ log }: Logged): (wait: Wait) => boolean {
  const answers = new Map<string, boolean>()
  const askOrWait = ({ key, ask }: Wait["isOver"]): boolean => {
    try {
      return ask()
    } catch (error) {
      log.debug({ wait: key, err: error }, "Work waits on, because its wait could not be judged")
      return false
    }
  }
  return ({ isOver }) => {
    const answer = answers.get(isOver.key) ?? askOrWait(isOver)
    answers.set(isOver.key, answer)
    return answer
  }
}
