import { AppError } from "#lib/app-error.ts"
import { createKeptLast } from "#lib/kept-last.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import type { OrderRow } from "#ports/journal/orders.ts"

type Stored = Pick<OrderRow, "id" | "snapshot">

/** The decoded orders that were used last, read-only. */
export type KnownOrders = {
  /**
   * The decoded order of a row. An order that was used a moment ago is not decoded again.
   *
   * The row's text decides: steps that were undone and rows that a person repaired have another
   * text. Throws as `decodeOrder`.
   */
  readonly read: (stored: Stored) => Order
  /** As `read`, for lists: `null` for a damaged order, so that it does not hide the others. */
  readonly readOrNull: (stored: Stored) => Order | null
  /**
   * The order is the one that its text says. `waitMs`: the time until its next work is due. One
   * that has ended has none, and is read seldom.
   */
  readonly keep: (stored: Stored, order: Order, waitMs: number) => void
}

/** An order with its text takes some 20 KiB. A step is soon followed by the next one. */
const MOST_KNOWN = 1_100
/** An order that waits is read seldom, so reads add no more orders than this. */
const MOST_READ = 400
/** A try reads its order when it begins and when it ends, with few others in between. */
const MOST_AT_WORK = 64

export function createKnownOrders(): KnownOrders {
  type Known = { readonly snapshot: string; readonly order: Order }
  /** The orders that were written last, and the first ones that were read. */
  const used = createKeptLast<Known>(MOST_KNOWN)
  /** The orders that were read last. */
  const read = createKeptLast<Known>(MOST_AT_WORK)
  function readOne({ id, snapshot }: Stored): Order {
    const last = used.find(id)
    const found = last ?? read.find(id)
    const order = found?.snapshot === snapshot ? found.order : decodeOrder(snapshot)
    const isUsed = last !== null || (used.size() < MOST_READ && !isFinal(order.state))
    const kept = isUsed ? used : read
    kept.keep(id, { snapshot, order }, 0)
    return order
  }

  return {
    read: readOne,
    readOrNull: (stored) => {
      try {
        return readOne(stored)
      } catch (error) {
        if (error instanceof AppError) return null
        throw error
      }
    },
    keep: ({ id, snapshot }, order, waitMs) => {
      read.drop(id)
      if (isFinal(order.state)) used.drop(id)
      else used.keep(id, { snapshot, order }, waitMs)
    },
  }
}
