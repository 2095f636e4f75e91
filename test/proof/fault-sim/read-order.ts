import { decodeOrder, type Order } from "#order/step.ts"

const known = new Map<string, Order>()
const MAX_KNOWN = 3_000

/**
 * The decoded order of a row, read-only. Every checker reads the same rows many times, so each
 * snapshot is decoded once.
 */
export function readOrder(snapshot: string): Order {
  const order = known.get(snapshot) ?? decodeOrder(snapshot)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(snapshot, order)
  return order
}
