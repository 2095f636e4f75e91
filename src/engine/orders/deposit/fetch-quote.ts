import type { Reason } from "#domain/reason.ts"
import { admitValue } from "#guards/limits.ts"
import { withNetworkFees } from "#guards/order-value.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { nativeAssetOf } from "../../context.ts"
import {
  acceptOffer,
  judgeOffer,
  judgeRoute,
  judgeService,
  NO_QUOTE,
  type Offer,
  ownCostOf,
  readOffer,
  readOfferPrices,
  valueOffer,
} from "../../rules/offer.ts"
import { readUsage } from "../../rules/usage.ts"
import { declineAfterPatience, declineOrder, deferWork, type Performer } from "../observe/job.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"

/**
 * Accepts the best offer if it passes the price guard and the fiat limits as they are at this
 * moment.
 */
export const fetchQuote: Performer = async (job) => {
  const ended = declineAfterPatience(job)
  if (ended) return ended
  const { context, data } = job
  const { from, to, sourceUnits, exactOut, destinationOwner } = data.request
  const { policy, rule } = data
  const exactly = exactOut === undefined ? {} : { exactOut }
  const affiliateFees = policy.affiliateFees ?? []
  const judgeValue = (one: Offer): Reason[] => {
    const usage = readUsage(context, { from, to, rule, exceptOrder: data.id })
    const value = withNetworkFees(valueOffer(context, one), data.feeBudget ?? null)
    return [
      ...judgeRoute(context, one, data.id),
      ...admitValue(value, usage, context.settings.limits),
    ]
  }
  const offer = await readOffer(
    context,
    { from, to, sourceUnits, affiliateFees, destinationOwner, ...exactly },
    policy,
    judgeValue,
  )
  if (offer === null) return deferWork([NO_QUOTE])
  const prices = await readOfferPrices(context, offer)
  const value = valueOffer(context, offer)
  const judgeLimits = (): Reason[] => [...judgeService(context, offer), ...judgeValue(offer)]
  const { quote } = offer
  const own = ownCostOf((chain) => nativeAssetOf(context, chain), {
    policy,
    feeBudget: data.feeBudget ?? null,
    quote,
    prices,
  })
  const { refusals, missing } = judgeOffer(context, offer, policy, own)
  const reasons = offer.refusals.length > 0 ? [...refusals] : [...refusals, ...judgeLimits()]
  // A price source without an answer may answer later, so it defers the order; a refused quote ends
  // the order.
  if (reasons.length === 0 && missing.length > 0) return deferWork(missing)
  if (reasons.length > 0) return declineOrder([...reasons, ...missing])
  // The limits are judged again in the same synchronous step as the write: another order may have
  // taken the room in between. Then all offers are judged anew, because another service's offer may
  // still fit.
  const recheck = (): UntimedOrderEvent | null => {
    const exceeded = judgeLimits()
    return exceeded.length > 0 ? { type: "work.deferred", reasons: exceeded, waitMs: 0 } : null
  }
  return { event: { ...acceptOffer(offer), value, prices }, recheck }
}

export const fetchQuoteWork: WorkEntry<"fetchQuote"> = {
  perform: fetchQuote,
  lane: null,
  spends: false,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
}
