import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { QuoteRequest } from "#ports/service.ts"
import { parseQuote } from "./to-domain.ts"

/**
 * Keeps the quotes that match the request, best first: the most for a sold amount, the least for an
 * exact payout. Gives a reason for each dropped one.
 */
export function judgeQuotes(
  items: readonly unknown[],
  request: QuoteRequest,
): { quotes: readonly Quote[]; dropped: readonly Reason[] } {
  const quotes: Quote[] = []
  const dropped: Reason[] = []
  for (const item of items) {
    const quote = parseQuote(item)
    const reason = quote.ok
      ? mismatchOf(quote.value, request)
      : { code: "service.malformed", message: `a quote is malformed: ${quote.why}` }
    if (reason) dropped.push(reason)
    else if (quote.ok)
      quotes.push(
        request.affiliateBps === 0
          ? quote.value
          : { ...quote.value, affiliateBps: request.affiliateBps },
      )
  }
  return { quotes: quotes.sort(byGain), dropped }
}

function mismatchOf(quote: Quote, request: QuoteRequest): Reason | null {
  if (quote.destinationUnits === 0n) {
    return {
      code: "service.quote_zero",
      message: "a quote pays out nothing; it is dropped",
      solver: quote.solverId,
    }
  }
  const { sourceUnits, exactUnits } = request
  const isAmount =
    exactUnits === undefined
      ? quote.sourceUnits === sourceUnits
      : quote.destinationUnits === exactUnits && quote.sourceUnits > 0n
  if (isAmount && quote.from === request.from && quote.to === request.to) return null
  const askedUnits = (exactUnits ?? sourceUnits).toString()
  const isSale = exactUnits === undefined
  const quotedUnits = (isSale ? quote.sourceUnits : quote.destinationUnits).toString()
  const isPair = quote.from === request.from && quote.to === request.to
  const found = isPair
    ? `it ${isSale ? "sells" : "pays"} an amount of ${quotedUnits} units in place of ${askedUnits}`
    : `it is from ${quote.from} to ${quote.to}`
  return {
    code: "service.quote_mismatch",
    message: `a quote is for another swap than the requested one: ${found}; it is dropped`,
    askedFrom: request.from,
    askedTo: request.to,
    askedUnits,
    quotedFrom: quote.from,
    quotedTo: quote.to,
    quotedUnits,
  }
}

function byGain(a: Quote, b: Quote): number {
  const more = b.destinationUnits - a.destinationUnits
  const less = a.sourceUnits - b.sourceUnits
  const first = more === 0n ? less : more
  return first < 0n ? -1 : first > 0n ? 1 : 0
}
