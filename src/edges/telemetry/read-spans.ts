import type { Clock } from "#lib/clock.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { describeTrace, type Span } from "./describe-trace.ts"

type SpanReader = {
  /** The spans that are over since the last call. */
  readonly read: () => readonly Span[]
  /** The time of the newest change that was read. */
  readonly readUntilMs: () => number
}

/** Reads the journal from a time on. The first call also reads the orders that are open. */
export function createSpanReader(
  journal: Pick<Journal, "listChangedSince" | "listOrders" | "listEvents">,
  clock: Pick<Clock, "now">,
  fromMs: number,
): SpanReader {
  const known = new Map<string, Known>()
  let sinceMs = fromMs
  let isFirst = true

  function listRows(): readonly OrderRow[] {
    // After the clock was set back, new changes have earlier times.
    sinceMs = Math.min(sinceMs, clock.now())
    const changed = journal.listChangedSince(sinceMs)
    const open = isFirst ? journal.listOrders({ open: true }) : []
    isFirst = false
    return [...open, ...changed]
  }

  function readOrder(row: OrderRow): readonly Span[] {
    const order = decodeOrNull(row.snapshot)
    if (order === null) return []
    const spans = describeTrace(order, journal.listEvents(row.id))
    const old = known.get(row.id)?.spanIds
    const spanIds = new Set(spans.map(({ spanId }) => spanId))
    known.set(row.id, {
      spanIds,
      isOver: spans.some(({ parentId }) => parentId === null),
      atMs: row.updatedAtMs,
    })
    sinceMs = Math.max(sinceMs, row.updatedAtMs)
    return spans.filter(({ spanId }) => old?.has(spanId) !== true)
  }

  return {
    readUntilMs: () => sinceMs,
    read: () => {
      const spans = listRows().flatMap(readOrder)
      // An order that ended before the newest change is not read again.
      for (const [id, { isOver, atMs }] of known) if (isOver && atMs < sinceMs) known.delete(id)
      return spans
    },
  }
}

type Known = {
  readonly spanIds: ReadonlySet<string>
  readonly isOver: boolean
  readonly atMs: number
}
