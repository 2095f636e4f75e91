import type { WorkRow } from "#ports/journal/outbox.ts"
import { createSortedList } from "./sorted-list.ts"

/** The work of an order, and the time of the last change of its order or of the work's last try. */
export type StoredWork = WorkRow & { readonly updatedAtMs: number }

export type Outbox = {
  /** The order has this work from now on. */
  readonly put: (orderId: string, work: StoredWork | null) => void
  readonly find: (orderId: string) => StoredWork | null
  readonly findById: (id: number) => StoredWork | null
  /** As `hastenWork` of the journal. */
  readonly hasten: (orderId: string, dueAtMs: number) => boolean
  /** As `listDueWork` of the journal. */
  readonly listDue: (untilMs: number, limit: number, nowMs: number) => readonly WorkRow[]
}

/** The work of all orders in the order in which it is due, as the table has it. */
export function createOutbox(): Outbox {
  const works = new Map<string, StoredWork>()
  const byId = new Map<number, StoredWork>()
  const due = createSortedList(compareDue)
  let lastUpdateMs = 0

  const put = (orderId: string, work: StoredWork | null): void => {
    const before = works.get(orderId)
    if (before !== undefined) {
      due.remove(before)
      byId.delete(before.id)
    }
    works.delete(orderId)
    if (work === null) return
    works.set(orderId, work)
    byId.set(work.id, work)
    due.add(work)
    lastUpdateMs = Math.max(lastUpdateMs, work.updatedAtMs)
  }

  return {
    put,
    hasten: (orderId, dueAtMs) => {
      const work = works.get(orderId)
      if (work !== undefined && work.dueAtMs > dueAtMs) put(orderId, { ...work, dueAtMs })
      return work !== undefined
    },
    find: (orderId) => works.get(orderId) ?? null,
    findById: (id) => byId.get(id) ?? null,
    listDue: (untilMs, limit, nowMs) => {
      // Only a clock that was set back makes such a time lie in the future.
      if (lastUpdateMs <= nowMs) return due.takeWhile(({ dueAtMs }) => dueAtMs <= untilMs, limit)
      const all = due.all()
      lastUpdateMs = all.reduce((last, { updatedAtMs }) => Math.max(last, updatedAtMs), 0)
      const isAhead = ({ updatedAtMs }: StoredWork): boolean => updatedAtMs > nowMs
      return all
        .filter((work) => work.dueAtMs <= untilMs || isAhead(work))
        .slice(0, limit)
        .map((work) => (isAhead(work) ? { ...work, isAhead: true } : work))
    },
  }
}

/** By due time, then by id. */
function compareDue(a: StoredWork, b: StoredWork): number {
  return a.dueAtMs - b.dueAtMs || a.id - b.id
}
