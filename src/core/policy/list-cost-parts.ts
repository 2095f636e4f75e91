import { expectedRefundFiat, lockedFiat } from "#domain/order-cost.ts"
import type { Proposal } from "./evaluate.ts"
import { findPair } from "./planner/route.ts"
import { readPrice, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "./value.ts"

/**
 * The parts of a proposal's cost, in fiat millionths. `swapFiat` and `networkFiat` add up to its
 * cost; a refund comes on top, when the swap fails. Ceilings also count `refundRiskFiat`, the
 * refund by its probability, and `lockedFiat`, for the money that the order locks. `swapFiat`:
 * service fee, spread and the payout's own network fee, which the quotes do not tell apart.
 * `networkFiat`: the deposit's, with an approval. `null`: no estimate, because a relay may pay, or
 * because the fee's coin has no price.
 */
export type CostParts = {
  readonly swapFiat: bigint
  readonly networkFiat: bigint | null
  readonly refundFiat: bigint | null
  readonly refundRiskFiat: bigint | null
  readonly lockedFiat: bigint | null
}

/** The parts by the quotes of the view; `null` where the cost itself is unknown. Pure. */
export function listCostParts(
  proposal: Pick<Proposal, "from" | "to" | "kind" | "units" | "costFiat">,
  { assets, pairs }: TreasuryView,
): CostParts | null {
  const { from, units, costFiat } = proposal
  const quote = findPair(pairs, proposal)?.quote
  if (costFiat === null || quote === undefined || !quote.readable) return null
  const { networkFeeFiat = null, refundFeeFiat = null } = quote
  const swapFiat = costFiat - (networkFeeFiat ?? 0n)
  const { risk } = quote
  const source = assets.find(({ id }) => id === from)
  const price = source === undefined ? null : readPrice(source)
  const soldFiat =
    source === undefined || !price?.ok
      ? null
      : fiatOfValue(valueOfUnits(source, price.priceFiat, units), "up")
  return {
    swapFiat,
    networkFiat: networkFeeFiat,
    refundFiat: refundFeeFiat,
    refundRiskFiat:
      risk === undefined || refundFeeFiat === null ? null : expectedRefundFiat(refundFeeFiat, risk),
    lockedFiat: risk === undefined || soldFiat === null ? null : lockedFiat(soldFiat, risk),
  }
}
