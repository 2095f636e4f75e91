import { admitQuote } from "#guards/limits.ts"
import { judgePrice } from "#guards/price.ts"
import { readLedger } from "../ledger.ts"
import { declined, deferred, outOfPatience, type Performer } from "./job.ts"

/** Plain read. The best offer must pass the price guard and the fiat limits, which are counted at this moment. */
export const fetchQuote: Performer = async (job) => {
  const ended = outOfPatience(job)
  if (ended) return ended
  const { context, data } = job
  const { from, to, sourceUnits } = data.request
  const affiliateBps = context.settings.affiliateFees.reduce((sum, fee) => sum + fee.feeBps, 0)
  const [best] = await context.service.fetchQuotes({ from, to, sourceUnits, affiliateBps })
  if (best === undefined) return deferred([{ code: "quote.none", message: "No solver quotes this pair now" }])
  const ledger = readLedger(context, { from, to, exceptOrder: data.id, manual: data.rule === "manual" })
  const reasons = [...judgePrice(best, data.policy.maxCost), ...admitQuote(best, ledger, context.settings.limits)]
  return reasons.length > 0 ? declined(reasons) : { fact: { type: "quote.accepted", quote: best } }
}
