import type { Journal, OrderRow } from "#journal/port.ts"
import { decodeOrder, type Order } from "#order/step.ts"

type Stored = Pick<OrderRow, "id" | "snapshot">
type Known = { readonly snapshot: string; readonly order: Order }

/** An order with its text takes some 30 KiB. A step is soon followed by the next one. */
const MOST_KNOWN = 1_100
/** An order that waits is read seldom, so reads add no more orders than this. */
const MOST_READ = 400

/** The orders that were used last, oldest first. */
const known = new WeakMap<Journal, Map<string, Known>>()

/**
 * The decoded order of a row, read-only. An order that was used a moment ago is not decoded again.
 *
 * The row's text decides: steps that were undone and rows that a person repaired have another text. Throws as `decodeOrder`.
 */
export function readOrder(journal: Journal, stored: Stored): Order {
  const orders = known.get(journal)
  const found = orders?.get(stored.id)
  const order = found?.snapshot === stored.snapshot ? found.order : decodeOrder(stored.snapshot)
  if (found !== undefined || (orders?.size ?? 0) < MOST_READ) keepOrder(journal, stored, order)
  return order
}

/** The order is the one that its text says. */
export function keepOrder(journal: Journal, { id, snapshot }: Stored, order: Order): void {
  const orders = known.get(journal) ?? new Map<string, Known>()
  known.set(journal, orders)
  orders.delete(id)
  orders.set(id, { snapshot, order })
  const oldest = orders.size > MOST_KNOWN ? orders.keys().next().value : undefined
  if (oldest !== undefined) orders.delete(oldest)
}
