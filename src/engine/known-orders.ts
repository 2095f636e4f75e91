import type { Journal, OrderRow } from "#journal/port.ts"
import { decodeOrder, type Order } from "#order/step.ts"

type Stored = Pick<OrderRow, "id" | "snapshot">
type Known = { readonly snapshot: string; readonly order: Order }

/** An order with its text takes some 30 KiB. */
const MOST_KNOWN = 1_000

/** The orders that were used last, oldest first. */
const known = new WeakMap<Journal, Map<string, Known>>()

/**
 * The decoded order of a row, read-only. An order that was used a moment ago is not decoded again.
 *
 * The row's text decides: steps that were undone and rows that a person repaired have another text. Throws as `decodeOrder`.
 */
export function readOrder(journal: Journal, stored: Stored): Order {
  const found = known.get(journal)?.get(stored.id)
  const order = found?.snapshot === stored.snapshot ? found.order : decodeOrder(stored.snapshot)
  keepOrder(journal, stored, order)
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
