import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/** An order becomes completed or refunded only when the chain already shows the payout or refund. */
export function checkPayouts({ world, rowOf, sourceOf, destinationOf }: GroundTruth): Checker {
  return {
    onCommit: (before, { order }) => {
      if (before.state === order.state || !["completed", "refunded"].includes(order.state)) return []
      const swap = world.service.orders.find((one) => rowOf(one)?.id === order.id)
      const paid =
        swap && (order.state === "completed" ? destinationOf(swap)?.redeemed != null : sourceOf(swap)?.refunded != null)
      return paid ? [] : [violation("outcome is true", `${order.id} becomes ${order.state}, but no chain shows it`)]
    },
  }
}
