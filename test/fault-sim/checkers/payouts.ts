import { type Checker, violation } from "../checker.ts"
import type { Truth } from "../truth.ts"

/** An order that is called completed or refunded is so on chain at that moment, and not only in the end. */
export function checkPayouts({ world, rowOf, sourceOf, destinationOf }: Truth): Checker {
  return {
    onCommit: (before, { order }) => {
      if (before.state === order.state || !["completed", "refunded"].includes(order.state)) return []
      const swap = world.service.orders.find((one) => rowOf(one)?.id === order.id)
      const paid =
        swap && (order.state === "completed" ? destinationOf(swap)?.redeemed != null : sourceOf(swap)?.refunded != null)
      return paid ? [] : [violation("outcome is true", `${order.id} becomes ${order.state}, and no chain shows it`)]
    },
  }
}
