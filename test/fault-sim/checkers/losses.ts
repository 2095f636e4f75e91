import type { AssetId } from "#domain/asset.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"

/**
 * With service and solver against us, an order loses at most its one deposit, and no ending hides that. All other money stays in the
 * wallet, but for network fees.
 */
export function checkLosses(truth: GroundTruth): Checker {
  const { world, recorder, deposits, hasLanded, rowOf, sourceOf, destinationOf } = truth

  /** Deposits of an order beyond the amount that it was opened for. */
  function checkDeposited(): Violation[] {
    const sums = new Map<string, bigint>()
    for (const { orderId, units } of deposits().filter(hasLanded)) sums.set(orderId, (sums.get(orderId) ?? 0n) + units)
    return [...sums].flatMap(([id, units]) => {
      const most = recorder.rows.get(id)?.sourceUnits ?? 0n
      return units <= most
        ? []
        : [violation("one deposit at most", `${id} deposited ${units}, and ${most} was asked for`)]
    })
  }

  return {
    afterTurn: checkDeposited,
    atEnd: () =>
      world.service.orders.flatMap((order) => {
        const row = rowOf(order)
        const alike = world.service.orders.filter(({ secretHash }) => secretHash === order.secretHash)
        const isTaken = sourceOf(order)?.redeemed != null && destinationOf(order)?.redeemed == null
        if (row === undefined || alike.length > 1 || !isTaken || isResting(row.state)) return []
        return [violation("a theft is shown", `${row.id} is ${row.state}, and its deposit was taken without a payout`)]
      }),
  }
}

/** The deposits that were redeemed without a payout. */
export function listTaken({
  world,
  sourceOf,
  destinationOf,
}: GroundTruth): readonly { asset: AssetId; units: bigint }[] {
  return world.service.orders.flatMap((order) => {
    const isTaken = sourceOf(order)?.redeemed != null && destinationOf(order)?.redeemed == null
    return isTaken ? [{ asset: order.from, units: order.sourceUnits }] : []
  })
}
