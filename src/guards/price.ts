import { basisPoints, FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"

/** Does the quote lose more value from source to destination than allowed? A missing price is a reason, never zero. */
export function judgePrice(quote: Quote, maxCost: CostLimit): Reason[] {
  if (quote.destinationUnits <= 0n) {
    return [{ code: "price.zero", message: "The quote pays nothing", units: quote.destinationUnits.toString() }]
  }
  if (quote.sourceFiat === null || quote.destinationFiat === null || quote.sourceFiat === 0n) {
    return [{ code: "price.missing", message: "The quote has no readable value on one side, so its cost is unknown" }]
  }
  const lostFiat = quote.sourceFiat - quote.destinationFiat
  const costBps = basisPoints(lostFiat, quote.sourceFiat)
  if (maxCost.kind === "share" ? costBps <= maxCost.bps : lostFiat <= maxCost.fiat) return []
  const max = maxCost.kind === "share" ? `${maxCost.bps} bps` : formatUnits(maxCost.fiat, FIAT_DECIMALS)
  const cost = maxCost.kind === "share" ? `${costBps} bps` : formatUnits(lostFiat, FIAT_DECIMALS)
  return [
    {
      code: "price.cost",
      message: `The quote costs ${cost}, more than the allowed ${max}`,
      cost,
      max,
      sourceFiat: formatUnits(quote.sourceFiat, FIAT_DECIMALS),
      destinationFiat: formatUnits(quote.destinationFiat, FIAT_DECIMALS),
    },
  ]
}

/** Value lost from source to destination, in basis points rounded up; negative when the quote gains. `null` without prices. */
export function quoteCostBps(quote: Quote): bigint | null {
  if (quote.sourceFiat === null || quote.destinationFiat === null || quote.sourceFiat === 0n) return null
  return basisPoints(quote.sourceFiat - quote.destinationFiat, quote.sourceFiat)
}

/** Source value less destination value, never below zero; `null` without prices. */
export function quoteFeeFiat(quote: Quote): bigint | null {
  if (quote.sourceFiat === null || quote.destinationFiat === null) return null
  const lost = quote.sourceFiat - quote.destinationFiat
  return lost > 0n ? lost : 0n
}
