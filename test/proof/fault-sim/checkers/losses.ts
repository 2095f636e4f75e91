import { type AssetId, chainOf } from "#domain/asset.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"

/**
 * With service and solver against us, an order loses at most its one deposit, and no ending hides
 * that. All other money stays in the wallet, but for network fees.
 */
export function checkLosses(truth: GroundTruth): Checker {
  const { world, recorder, deposits, hasLanded, rowOf, sourceOf, destinationOf } = truth

  /** Deposits of an order beyond the amount that it was opened for. */
  function checkDeposited(): Violation[] {
    const sums = new Map<string, bigint>()
    for (const { orderId, units } of deposits().filter(hasLanded))
      sums.set(orderId, (sums.get(orderId) ?? 0n) + units)
    return [...sums].flatMap(([id, units]) => {
      const most = recorder.rows.get(id)?.sourceUnits ?? 0n
      return units <= most
        ? []
        : [violation("one deposit at most", `${id} deposited ${units}, and ${most} was asked for`)]
    })
  }

  /** Each theft is shown: its order waits for a person, and an alert names it. */
  function checkThefts(): Violation[] {
    const alarmed = new Set(world.journal.listAlerts(100_000).map(({ orderId }) => orderId))
    return world.service.orders.flatMap((order) => {
      const row = rowOf(order)
      const alike = world.service.orders.filter(({ secretHash }) => secretHash === order.secretHash)
      const isTaken = sourceOf(order)?.redeemed != null && destinationOf(order)?.redeemed == null
      if (row === undefined || alike.length > 1 || !isTaken) return []
      const message = `${row.id} is ${row.state}, and its deposit was taken without a payout`
      if (!isResting(row.state)) return [violation("a theft is shown", message)]
      return alarmed.has(row.id) ? [] : [violation("a theft is shown", `${message} or an alert`)]
    })
  }

  /** With the service's secret one order loses at most `max_service_secret`. */
  function checkLimit(): Violation[] {
    const most = truth.profile.maxServiceSecret
    const taken = most === undefined ? [] : listTaken(truth).filter(({ units }) => units > most)
    return taken.map(({ asset, units }) =>
      violation("a loss stays below its limit", `${units} ${asset} were taken`),
    )
  }

  /**
   * No unpaid deposit stays in its HTLC after the timelock: it is refunded, or its order shows a
   * person why not.
   */
  function checkLeftDeposits(): Violation[] {
    return world.service.orders.flatMap((order) => {
      const swap = sourceOf(order)
      const row = rowOf(order)
      if (
        !swap ||
        !row ||
        swap.payer !== "wallet" ||
        swap.redeemed ||
        swap.refunded ||
        isResting(row.state)
      )
        return []
      const isOpen = world.ledgers.get(chainOf(order.from))?.height() ?? 0n
      if (isOpen < swap.initiated.height + swap.timelock) return []
      // The service that paid may leave the deposit: it is not ours any more.
      if (row.state === "completed" && destinationOf(order)?.redeemed != null) return []
      return [
        violation(
          "every refund is taken",
          `${row.id} is ${row.state}, and its deposit is still in the HTLC`,
        ),
      ]
    })
  }

  return {
    afterTurn: checkDeposited,
    atEnd: () => [...checkThefts(), ...checkLimit(), ...checkLeftDeposits()],
  }
}

/** Where the money of a held order is, by the ledgers. */
export const HELD_PLACES = [
  "no deposit",
  "refunded",
  "paid out",
  "paid out short",
  "payout open, deposit taken",
  "deposit in its HTLC",
  "deposit lost",
] as const

export type HeldPlace = (typeof HELD_PLACES)[number]

/** The place of each order that is held. */
export function listHeldPlaces({
  world,
  rowOf,
  sourceOf,
  destinationOf,
}: GroundTruth): readonly HeldPlace[] {
  return world.service.orders.flatMap((order) => {
    if (rowOf(order)?.state !== "held") return []
    const source = sourceOf(order)
    const payout = destinationOf(order)
    if (payout?.redeemed != null)
      return [payout.redeemed.paidUnits < order.destinationUnits ? "paid out short" : "paid out"]
    if (source === undefined) return ["no deposit"]
    if (source.refunded !== null) return ["refunded"]
    if (source.redeemed == null) return ["deposit in its HTLC"]
    return [
      payout !== undefined && payout.refunded === null
        ? "payout open, deposit taken"
        : "deposit lost",
    ]
  })
}

/** The orders with a deposit on their chain. */
export function countDeposited({ world, rowOf, sourceOf, ...truth }: GroundTruth): number {
  const locked = world.service.orders.filter(
    (order) => rowOf(order) !== undefined && sourceOf(order)?.payer === "wallet",
  )
  const burnt = [...truth.recorder.rows.values()].filter((row) => truth.burnsOf(row).length > 0)
  return locked.length + burnt.length
}

/** The deposits that were redeemed without a payout. */
export function listTaken({
  world,
  sourceOf,
  destinationOf,
}: GroundTruth): readonly { asset: AssetId; units: bigint; order: FakeOrder }[] {
  return world.service.orders.flatMap((order) => {
    const isTaken = sourceOf(order)?.redeemed != null && destinationOf(order)?.redeemed == null
    return isTaken ? [{ asset: order.from, units: order.sourceUnits, order }] : []
  })
}
