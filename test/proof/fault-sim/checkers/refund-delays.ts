import { chainOf } from "#domain/asset.ts"
import { isFinal } from "#order/states.ts"
import { MAX_FEE } from "../../../support/fake-fees.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"

/** With no faults, a refund is sent within this time after it became possible. */
const LONGEST_MS = 5 * 60_000
/**
 * A purse of ten times an order's worth buys the space of so many blocks, and slow nodes delay each
 * step.
 */
const ATTACKED_MS = 15 * 60_000

/**
 * In the quiet time every refund is sent soon after its timelock, however slow other chains are.
 */
export function checkRefundDelays({
  world,
  schedule,
  adversary,
  rowOf,
  sourceOf,
  destinationOf,
  ledgerOf,
}: GroundTruth): Checker {
  const longestMs = adversary === null ? LONGEST_MS : ATTACKED_MS
  const since = new Map<string, number>()

  function isDue(order: FakeOrder): boolean {
    const swap = sourceOf(order)
    const row = rowOf(order)
    if (!swap || !row || swap.payer !== "wallet" || swap.redeemed || swap.refunded) return false
    if (isFinal(row.state) || isResting(row.state)) return false
    // Its payout is ours. The order only waits until its own redemption is decided.
    if (destinationOf(order)?.redeemed) return false
    // A refund has no deadline, so it waits while the network asks for more than the configured
    // cap.
    if (adversary !== null && adversary.market.natural(chainOf(order.from)) > MAX_FEE) return false
    const ledger = ledgerOf(chainOf(order.from))
    if (ledger.height() < swap.initiated.height + swap.timelock) return false
    return !ledger
      .mempool()
      .some(({ action }) => action.kind === "refund" && action.key === swap.key)
  }

  return {
    afterTurn: () => {
      const nowMs = world.clock.now()
      if (schedule.quietSinceMs() === Number.NEGATIVE_INFINITY) return []
      const found: Violation[] = []
      for (const order of world.service.orders) {
        if (!isDue(order)) {
          since.delete(order.orderId)
          continue
        }
        const sinceMs = since.get(order.orderId) ?? nowMs
        since.set(order.orderId, sinceMs)
        if (nowMs - sinceMs > longestMs)
          found.push(
            violation(
              "refund in time",
              `${rowOf(order)?.id} waits ${nowMs - sinceMs} ms for its refund`,
            ),
          )
      }
      return found
    },
  }
}
