import { readSwap } from "#books/read-swap.ts"
import { encodeSwap } from "#books/swap-text.ts"
import type { Order } from "#order/step.ts"
import type { Summarize } from "#ports/journal/ledger.ts"
import { type Configured, type HasChains, type Logged, nativeIdOf } from "../context.ts"

/**
 * Writes the summary that the journal keeps of an ended order. A fault in the books must not stop
 * an order: without a summary a report reads the order itself.
 */
export function summarizeOrder(
  context: HasChains & Configured & Logged,
  order: Order,
  updatedAtMs: number,
): Summarize {
  return (entries) => {
    try {
      return encodeSwap(
        readSwap(order, updatedAtMs, entries, (chain) => nativeIdOf(context, chain)),
      )
    } catch (error) {
      context.log.error(
        { order: order.data.id, err: error },
        "The books could not summarize this order",
      )
      return null
    }
  }
}
