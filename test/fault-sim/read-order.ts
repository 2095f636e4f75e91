import { decodeOrder, type Order } from "#order/step.ts"

const known = new Map<string, Order>()
const MAX_KNOWN = 500

/** The order of a row, for looking at only: every checker asks for the same rows again and again, so a text is read once. */
export function readOrder(snapshot: string): Order {
  const order = known.get(snapshot) ?? decodeOrder(snapshot)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(snapshot, order)
  return order
}
