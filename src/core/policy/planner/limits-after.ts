import { type AssetId, chainOf } from "#domain/asset.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { findAsset, readPrice, type TreasuryView } from "../treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "../value.ts"
import type { ChainGas, OrderCount, PlanLimits, WindowRest } from "./limits.ts"
import { payoutRounding, pricePair, roundingOf } from "./payout-rounding.ts"
import { valueIn, windowFeesOf } from "./route.ts"

/** An order that is placed already, for the rest of a plan. */
export type PlacedBefore = {
  readonly rules: readonly string[]
  readonly from: AssetId
  readonly to: AssetId
  readonly kind?: RouteKind
  readonly units: bigint
  readonly costFiat: bigint | null
}

/**
 * What the limits leave after these orders. An order of unknown value leaves nothing of a window in
 * fiat.
 */
export function limitsAfter(
  limits: PlanLimits,
  orders: readonly PlacedBefore[],
  view: TreasuryView,
): PlanLimits {
  const { windows, counts, gas } = limits
  return {
    ...limits,
    maxOrders: Math.max(0, limits.maxOrders - orders.length),
    ...(windows
      ? {
          windows: windows.map((window) =>
            orders.reduce((rest, one) => lessOrder(rest, one, view), window),
          ),
        }
      : {}),
    ...(counts
      ? { counts: counts.map((count) => ({ ...count, left: count.left - countOf(count, orders) })) }
      : {}),
    ...(gas ? { gas: gas.map((one) => gasAfter(one, orders)) } : {}),
  }
}

/** Orders from the chain take their fees, and those that sell its coin take the amount too. */
function gasAfter(gas: ChainGas, orders: readonly PlacedBefore[]): ChainGas {
  const placed = orders.filter(({ from }) => chainOf(from) === gas.chain)
  const sold = placed.reduce((sum, { from, units }) => (from === gas.coin ? sum + units : sum), 0n)
  const paid = BigInt(placed.length) * gas.perOrderUnits + sold
  const leftUnits = gas.leftUnits === null ? null : gas.leftUnits - paid
  return {
    ...gas,
    leftUnits,
    ...(placed.length > 0 ? { placed: (gas.placed ?? 0) + placed.length } : {}),
  }
}

function lessOrder(window: WindowRest, order: PlacedBefore, view: TreasuryView): WindowRest {
  const { from, units } = order
  const asset = findAsset(view, from)
  const price = asset === null ? null : readPrice(asset)
  const fiat =
    asset !== null && price?.ok
      ? fiatOfValue(valueOfUnits(asset, price.priceFiat, units), "up")
      : null
  const less = (left: bigint | null, used: bigint | null): bigint | null =>
    left === null ? null : used === null || used > left ? 0n : left - used
  const leftUnits = window.leftUnits[from]
  return {
    ...window,
    leftFiat: less(window.leftFiat, fiat),
    leftFeesFiat: less(window.leftFeesFiat, countedFees(order, view)),
    leftUnits:
      leftUnits === undefined
        ? window.leftUnits
        : { ...window.leftUnits, [from]: less(leftUnits, units) ?? 0n },
  }
}

function countOf({ pair, rule, chain }: OrderCount, orders: readonly PlacedBefore[]): number {
  return orders.filter(
    ({ from, to, rules }) =>
      (pair === undefined || (pair.from === from && pair.to === to)) &&
      (rule === undefined || rules.includes(rule)) &&
      (chain === undefined || [from, to].some((id) => chainOf(id) === chain)),
  ).length
}

/**
 * The fees that a window counts for an open order: its cost, the rounding of its payout, and
 * the fee of a refund. `null` where the costs are unknown.
 */
export function countedFees(order: PlacedBefore, view: TreasuryView): bigint | null {
  const { units, costFiat } = order
  const pair = costFiat === null ? null : pricePair(view, order)
  if (costFiat === null || pair === null) return null
  const value = valueIn(pair.from, units)
  const rounding = payoutRounding(pair, false)
  return costFiat + windowFeesOf(pair.quote) + fiatOfValue(roundingOf(pair, value, rounding), "up")
}
