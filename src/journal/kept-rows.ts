import type { OrderRow } from "./port.ts"

/** The place of a step in the events of its order. `changes`: the number of events back to the last whole snapshot, this one included. */
export type EventPlace = { readonly seq: number; readonly changes: number }

/** The row of an order as its last step wrote it. `pieces`: its snapshot in pieces; `null` for a row that was read. */
export type KeptRow = {
  readonly row: OrderRow
  readonly place: EventPlace | null
  readonly pieces: readonly string[] | null
}

export type KeptRows = {
  readonly find: (orderId: string) => KeptRow | null
  readonly keep: (kept: KeptRow) => void
  readonly drop: (orderId: string) => void
}

/** More orders than any load has under way in the same seconds. A row with its text takes some 15 KiB. */
const MOST_KEPT = 1_100

/** The rows of the orders that were written last, so that the next step reads none. */
export function createKeptRows(): KeptRows {
  const rows = new Map<string, KeptRow>()
  return {
    find: (orderId) => rows.get(orderId) ?? null,
    keep: (kept) => {
      rows.delete(kept.row.id)
      rows.set(kept.row.id, kept)
      const oldest = rows.size > MOST_KEPT ? rows.keys().next().value : undefined
      if (oldest !== undefined) rows.delete(oldest)
    },
    drop: (orderId) => void rows.delete(orderId),
  }
}
