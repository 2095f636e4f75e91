import { chainOf } from "#domain/asset.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { isBurnOrder } from "./burns.ts"

/**
 * An order becomes completed or refunded only when a final block of the chain has the payout or
 * refund. In the end no order still waits for an operator although both of its legs are redeemed.
 */
export function checkPayouts(truth: GroundTruth): Checker {
  const { world, rowOf, orderOf, sourceOf, destinationOf, ledgerOf, isDeep } = truth
  return {
    onCommit: (before, { order }) => {
      if (before.state === order.state || !["completed", "refunded"].includes(order.state))
        return []
      if (isBurnOrder(order)) return []
      const swap = orderOf(order.id)
      const isCompleted = order.state === "completed"
      const ending =
        swap && (isCompleted ? destinationOf(swap)?.redeemed : sourceOf(swap)?.refunded)
      if (swap === undefined || ending == null)
        return [
          violation("outcome is true", `${order.id} becomes ${order.state}, but no chain shows it`),
        ]
      const ledger = ledgerOf(chainOf(isCompleted ? swap.to : swap.from))
      return isDeep(ledger, ending.txid)
        ? []
        : [
            violation(
              "an ending is final",
              `${order.id} becomes ${order.state}, but its block is not final`,
            ),
          ]
    },
    atEnd: () =>
      world.service.orders
        .filter((order) => rowOf(order)?.state === "held" && isPaid(order))
        .map((order) =>
          violation(
            "a payout is noticed",
            `${rowOf(order)?.id} is held, and the chain shows its payout`,
          ),
        ),
  }

  /** Orders with the same secret cannot be told apart by their swaps. */
  function isPaid(order: FakeOrder): boolean {
    const alike = world.service.orders.filter(({ secretHash }) => secretHash === order.secretHash)
    const given = sourceOf(order)?.redeemed ?? null
    const taken = destinationOf(order)?.redeemed ?? null
    if (alike.length > 1 || given === null || taken === null) return false
    const isFull = taken.paidUnits >= order.destinationUnits
    return (
      isFull &&
      isDeep(ledgerOf(chainOf(order.from)), given.txid) &&
      isDeep(ledgerOf(chainOf(order.to)), taken.txid)
    )
  }
}
