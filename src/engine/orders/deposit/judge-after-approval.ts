import type { Quote } from "#domain/quote.ts"
import { mustExist } from "#lib/assert.ts"
import { nativeAssetOf } from "../../context.ts"
import { judgeOffer, NO_QUOTE, ownCostOf, readOffer } from "../../rules/offer.ts"
import { declineOrder, deferWork, type Job } from "../observe/job.ts"
import type { WorkResult } from "../stepper.ts"

/**
 * The amounts of an order are fixed, their value is not. So the guard judges the price again after
 * a person has approved the order.
 */
export async function judgeAfterApproval({ context, data }: Job): Promise<WorkResult | null> {
  const { from, to, sourceUnits } = data.request
  const affiliateFees = data.policy.affiliateFees ?? []
  const offer = await readOffer(
    context,
    { from, to, sourceUnits, affiliateFees },
    data.policy,
    null,
  )
  if (offer === null) return deferWork([NO_QUOTE])
  const { destinationUnits } = mustExist(data.terms, "the order's terms")
  const destinationFiat = inProportion(offer.quote, destinationUnits)
  const fixed = { ...offer, quote: { ...offer.quote, destinationUnits, destinationFiat } }
  const { policy, feeBudget = null, prices } = data
  const own = ownCostOf((chain) => nativeAssetOf(context, chain), {
    policy,
    feeBudget,
    quote: fixed.quote,
    prices,
  })
  const { refusals, missing } = judgeOffer(context, fixed, policy, own)
  if (refusals.length === 0) return missing.length > 0 ? deferWork(missing) : null
  const message =
    `The order that ${data.approvedBy} approved now costs more than allowed; nothing was ` +
    "signed"
  return declineOrder([{ code: "approval.worse", message }, ...refusals, ...missing])
}

function inProportion({ destinationFiat, destinationUnits }: Quote, units: bigint): bigint | null {
  return destinationFiat === null || destinationUnits <= 0n
    ? null
    : (destinationFiat * units) / destinationUnits
}
