import { createKeptLast, type KeptLast } from "#lib/kept-last.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

type Stored = Pick<OrderRow, "id" | "snapshot">
type Known = { readonly snapshot: string; readonly order: Order }
type Orders = {
  /** The orders that were written last, and the first ones that were read. */
  readonly used: KeptLast<Known>
  /** The orders that were read last. */
  readonly read: KeptLast<Known>
}

/** An order with its text takes some 20 KiB. A step is soon followed by the next one. */
const MOST_KNOWN = 1_100
/** An order that waits is read seldom, so reads add no more orders than this. */
const MOST_READ = 400
/** A try reads its order when it begins and when it ends, with few others in between. */
const MOST_AT_WORK = 64

const known = new WeakMap<Journal, Orders>()

/**
 * The decoded order of a row, read-only. An order that was used a moment ago is not decoded again.
 *
 * The row's text decides: steps that were undone and rows that a person repaired have another text.
 * Throws as `decodeOrder`.
 */
export function readOrder(journal: Journal, stored: Stored): Order {
  const { used, read } = ordersOf(journal)
  const last = used.find(stored.id)
  const found = last ?? read.find(stored.id)
  const order = found?.snapshot === stored.snapshot ? found.order : decodeOrder(stored.snapshot)
  const isUsed = last !== null || (used.size() < MOST_READ && !isFinal(order.state))
  const kept = isUsed ? used : read
  kept.keep(stored.id, { snapshot: stored.snapshot, order }, 0)
  return order
}

/**
 * The order is the one that its text says. `waitMs`: the time until its next work is due. One that
 * has ended has none, and is read seldom.
 */
export function keepOrder(
  journal: Journal,
  { id, snapshot }: Stored,
  order: Order,
  waitMs: number,
): void {
  const { used, read } = ordersOf(journal)
  read.drop(id)
  if (isFinal(order.state)) used.drop(id)
  else used.keep(id, { snapshot, order }, waitMs)
}

function ordersOf(journal: Journal): Orders {
  const orders = known.get(journal) ?? {
    used: createKeptLast(MOST_KNOWN),
    read: createKeptLast(MOST_AT_WORK),
  }
  known.set(journal, orders)
  return orders
}
