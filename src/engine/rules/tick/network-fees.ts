import type { FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import type { PairBasis } from "./pair-costs.ts"

export type NetworkFees = Pick<PairBasis, "networkFeeFiat" | "refundFeeFiat" | "windowFeesFiat">

/** The coin of a chain at its price, for the network fees of its orders. */
export type CoinPrice = {
  readonly asset: Pick<AssetView, "decimals" | "priceParts">
  readonly fiat: bigint
}

/**
 * The network fees of an order as admission counts them. Ceilings do not count the fees that a
 * relay may pay (`ownFeesOf`); windows of fees count the worst case (`withNetworkFees`).
 */
export function toNetworkFees(
  { depositUnits, refundUnits }: FeeBudget,
  { asset, fiat }: CoinPrice,
  { way }: Pick<OrderPolicy, "way">,
): NetworkFees {
  const fiatOf = (units: bigint): bigint => fiatOfValue(valueOfUnits(asset, fiat, units), "up")
  if (way === "onchain") {
    return { networkFeeFiat: fiatOf(depositUnits), refundFeeFiat: fiatOf(refundUnits) }
  }
  const windowFeesFiat = fiatOf(depositUnits + refundUnits)
  return { networkFeeFiat: 0n, refundFeeFiat: 0n, windowFeesFiat }
}
