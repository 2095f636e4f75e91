import { createKeptLast, type KeptLast } from "#lib/kept-last.ts"
import type { OrderRow } from "#ports/journal/orders.ts"

/**
 * The place of a step in the events of its order. `changes`: the number of events back to the last
 * whole snapshot, this one included.
 */
export type EventPlace = { readonly seq: number; readonly changes: number }

/**
 * The row of an order as its last step wrote it. `pieces`: its snapshot in pieces; `null` for a row
 * that was read.
 */
export type KeptRow = {
  readonly row: OrderRow
  readonly place: EventPlace | null
  readonly pieces: readonly string[] | null
}

export type KeptRows = KeptLast<KeptRow>

/**
 * More orders than any load has under way in the same seconds. A row with its text takes some 15
 * KiB.
 */
const MOST_KEPT = 1_100

/** The rows of the orders that were written last, so that the next step reads none. */
export function createKeptRows(): KeptRows {
  return createKeptLast(MOST_KEPT)
}
