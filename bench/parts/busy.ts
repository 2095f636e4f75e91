import type { Part } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

/** Orders at full speed and nothing else, for a profile. */
export const busy: Part = async () => {
  await measureOrders({ count: 2_048, atOnce: 256 })
  return []
}
