import type { Proposal } from "./evaluate.ts"
import { findPair } from "./planner/route.ts"
import type { TreasuryView } from "./treasury-view.ts"

/**
 * The parts of a proposal's cost, in fiat millionths. `swapFiat` and `networkFiat` add up to its cost; a refund comes on top, when the swap fails.
 * `swapFiat`: service fee, spread and the payout's own network fee, which the quotes do not tell apart. `networkFiat`: the deposit's, with an
 * approval. `null`: no estimate, because a relay may pay, or because the fee's coin has no price.
 */
export type CostParts = {
  readonly swapFiat: bigint
  readonly networkFiat: bigint | null
  readonly refundFiat: bigint | null
}

/** The parts by the quotes of the view; `null` where the cost itself is unknown. Pure. */
export function listCostParts(
  { from, to, costFiat }: Pick<Proposal, "from" | "to" | "costFiat">,
  { pairs }: Pick<TreasuryView, "pairs">,
): CostParts | null {
  const quote = findPair(pairs, from, to)?.quote
  if (costFiat === null || quote === undefined || !quote.readable) return null
  const { networkFeeFiat = null, refundFeeFiat = null } = quote
  return { swapFiat: costFiat - (networkFeeFiat ?? 0n), networkFiat: networkFeeFiat, refundFiat: refundFeeFiat }
}
