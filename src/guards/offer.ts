import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { type CostPolicy, findMissingReference, judgePrice, judgeReference, type Reference } from "./price.ts"

/** `refusals` end an order. `missing` names configured price sources that gave no price: a later try may pass. */
export type OfferJudgement = { readonly refusals: readonly Reason[]; readonly missing: readonly Reason[] }

/** Judges the cost of an offer by the quote's own values and by reference prices, where either asset has a source. */
export function judgeOfferCost(
  quote: Quote,
  reference: Reference,
  policy: CostPolicy,
  basis: { readonly decimals: { readonly from: number; readonly to: number }; readonly toleranceBps: bigint },
): OfferJudgement {
  const refusals = judgePrice(quote, policy)
  if (reference.from === null && reference.to === null) return { refusals, missing: [] }
  const missing = findMissingReference(quote, reference)
  return { refusals: missing.length > 0 ? refusals : [...refusals, ...judgeByReference()], missing }

  /** The tighter of both limits decides, and one broken limit is reason enough. */
  function judgeByReference(): Reason[] {
    const { maxCost, ruleMaxCost = null, alsoMaxCosts = [] } = policy
    const limits = [maxCost, ...(ruleMaxCost === null ? [] : [ruleMaxCost])]
    const judgements = [...limits, ...alsoMaxCosts].map((limit) =>
      judgeReference(quote, reference, basis.decimals, { maxCost: limit, toleranceBps: basis.toleranceBps }),
    )
    return judgements.find((reasons) => reasons.length > 0) ?? []
  }
}
