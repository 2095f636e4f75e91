import type { AssetId } from "#domain/asset.ts"
import { expectedRefundFiat, PPB } from "#domain/order-cost.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { Need, Partner } from "../need.ts"
import type { AssetView, PairCosts, PairView } from "../treasury-view.ts"
import { VALUE_PER_FIAT, valueOfUnits } from "../value.ts"

/** A pair that serves a loss, a gain, or both. */
export type Route = {
  readonly key: string
  readonly from: Place
  readonly to: Place
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  readonly loss: Need | null
  readonly gain: Need | null
  /**
   * The entry in the need's own list. Only a listed pair may carry more than the other side needs.
   */
  readonly lossLists: Partner | null
  readonly gainLists: Partner | null
  readonly quote: PairCosts
  /** Absent: a swap service with HTLCs. */
  readonly kind?: RouteKind
  /** Position in the lists: of two routes with the same cost, the earlier one wins. */
  readonly rank: number
}

export type Place = { readonly asset: AssetView; readonly priceFiat: bigint }

/**
 * How much an asset may still give or take as a partner within the bounds of other rules, in its
 * units; `null` for no bound.
 */
export type Headroom = {
  readonly giveUnits: bigint | null
  readonly takeUnits: bigint | null
  /**
   * The distances between its target and its bounds: of the rule that sets `giveUnits` and of the
   * one that sets `takeUnits`.
   */
  readonly giveWayUnits: bigint
  readonly takeWayUnits: bigint
  /** The rule that sets `takeUnits`. */
  readonly takeRule: string | null
}

/**
 * The part of the way from its bound to its target that an asset keeps as a margin when it is the
 * partner of another rule.
 */
export const MARGIN_PART = 10n

export function routeKey(
  from: AssetId,
  to: AssetId,
  destination: string | null,
  kind?: RouteKind,
): string {
  const suffix = kind === undefined ? "" : `#${kind}`
  return `${from}>${to}${destination === null ? "" : `@${destination}`}${suffix}`
}

export function sinkKey(to: AssetId, destination: string | null): string {
  return `${to}${destination === null ? "" : `@${destination}`}`
}

/** The lines of the pair, one for each kind of route. */
export function findPairs(
  pairs: readonly PairView[],
  from: AssetId,
  to: AssetId,
): readonly PairView[] {
  return pairs.filter((pair) => pair.from === from && pair.to === to)
}

/** The line of one kind. An order that names none counts by the HTLCs, or by the only line. */
export function findPair(
  pairs: readonly PairView[],
  { from, to, kind }: { readonly from: AssetId; readonly to: AssetId; readonly kind?: RouteKind },
): PairView | null {
  const lines = findPairs(pairs, from, to)
  const own = lines.find((line) => line.kind === kind)
  return own ?? (kind === undefined ? lines[0] : undefined) ?? null
}

/** The cost of one order of that value, with the network fee; the share is rounded up. */
export function costOfOrder(quote: PairCosts, value: bigint): bigint {
  return fixedCostOf(quote) + (value * rateOf(quote) + PPB - 1n) / PPB
}

/** The part of an order's cost that does not depend on its size. */
function fixedCostOf({
  fixedFeeFiat,
  networkFeeFiat = 0n,
}: Pick<PairCosts, "fixedFeeFiat" | "networkFeeFiat">): bigint {
  return (fixedFeeFiat + networkFeeFiat) * VALUE_PER_FIAT
}

/**
 * The fixed cost with the refund that is to be expected. Ceilings and the choice between pairs
 * count it; an order that completes does not pay it.
 */
export function fixedTotalOf(
  quote: Pick<PairCosts, "fixedFeeFiat" | "networkFeeFiat" | "refundFeeFiat" | "risk">,
): bigint {
  return fixedCostOf(quote) + refundRiskFiat(quote) * VALUE_PER_FIAT
}

/** What windows of fees count beside the cost of an order. */
export function windowFeesOf({ refundFeeFiat = 0n, windowFeesFiat = 0n }: PairCosts): bigint {
  return refundFeeFiat + windowFeesFiat
}

export function refundRiskFiat({
  refundFeeFiat = 0n,
  risk,
}: Pick<PairCosts, "refundFeeFiat" | "risk">): bigint {
  return risk === undefined ? 0n : expectedRefundFiat(refundFeeFiat, risk)
}

/**
 * Everything that depends on the sold value, in billionths of it: the share of the service, and the
 * locked money.
 */
export function shareOf(quote: PairCosts): bigint {
  return rateOf(quote) + (quote.risk?.lockPpb ?? 0n)
}

/** The cost of a unit of the route's flow, without holding costs: of the payout for a gain. */
export function slopeOf({ quote, gain }: Pick<Route, "quote" | "gain">): bigint {
  const share = shareOf(quote)
  if (gain === null) return (share * SLOPE) / PPB
  const kept = PPB - rateOf(quote)
  return (share * SLOPE + kept - 1n) / kept
}

/** The share of the service, in billionths of the sold value. */
export function rateOf({ bps, bpsParts = 0n }: Pick<PairCosts, "bps" | "bpsParts">): bigint {
  return bps * PPB_PER_BPS + bpsParts
}

export const PPB_PER_BPS = PPB / 10_000n

/** The value that arrives when `value` is sold in `orders` orders. */
export function netOf(quote: PairCosts, value: bigint, orders: bigint): bigint {
  return (
    value - orders * quote.fixedFeeFiat * VALUE_PER_FIAT - (value * rateOf(quote) + PPB - 1n) / PPB
  )
}

/** The least value to sell in `orders` orders so that `net` arrives. `bps` must be below 10 000. */
export function grossOf(quote: PairCosts, net: bigint, orders: bigint): bigint {
  const kept = PPB - rateOf(quote)
  return ((net + orders * quote.fixedFeeFiat * VALUE_PER_FIAT) * PPB + kept - 1n) / kept
}

export function valueIn({ asset, priceFiat }: Place, units: bigint): bigint {
  return valueOfUnits(asset, priceFiat, units)
}

/** The unit of costs, rewards and slopes: 10^-12. */
export const SLOPE = 10n ** 12n

export function smallest(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((a, b) => (a < b ? a : b), first)
}
