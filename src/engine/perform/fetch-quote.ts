import { sumBps } from "#domain/affiliate-fee.ts"
import type { Reason } from "#domain/reason.ts"
import { admitValue } from "#guards/limits.ts"
import { withNetworkFees } from "#guards/order-value.ts"
import { judgePrice } from "#guards/price.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { judgeByReference, readQuotePrices, readReference, valueByReference } from "../reference.ts"
import { readUsage } from "../usage.ts"
import { declined, deferred, outOfPatience, type Performer } from "./job.ts"

/** Plain reads. The best offer must pass the price guard, by reference prices too where there are any, and the fiat limits, which are counted at this moment. */
export const fetchQuote: Performer = async (job) => {
  const ended = outOfPatience(job)
  if (ended) return ended
  const { context, data } = job
  const { from, to, sourceUnits } = data.request
  const affiliateBps = sumBps(data.policy.affiliateFees ?? [])
  const [best] = await context.service.fetchQuotes({ from, to, sourceUnits, affiliateBps })
  if (best === undefined) return deferred([{ code: "quote.none", message: "No solver quotes this pair now" }])
  const reference = await readReference(context, best)
  const prices = await readQuotePrices(context, best, reference)
  const { policy, rule } = data
  const value = valueByReference(context, best, reference)
  const judgeLimits = (): Reason[] => {
    const ledger = readUsage(context, { from, to, rule, exceptOrder: data.id })
    return admitValue(withNetworkFees(value, data.feeBudget ?? null), ledger, context.settings.limits)
  }
  const reasons = [...judgePrice(best, policy), ...judgeLimits()]
  const byReference = judgeByReference(context, best, reference, policy)
  // A price source that is silent now may speak soon; what the quote itself does wrong ends the order.
  if (reasons.length === 0 && byReference.some(({ code }) => code === "price.reference_missing"))
    return deferred(byReference)
  reasons.push(...byReference)
  if (reasons.length > 0) return declined(reasons)
  // Counted once more with the write: an admission may have come between.
  const recheck = (): UntimedOrderEvent | null => {
    const exceeded = judgeLimits()
    return exceeded.length > 0 ? { type: "order.declined", reasons: exceeded } : null
  }
  return { event: { type: "quote.accepted", quote: best, value, prices }, recheck }
}
