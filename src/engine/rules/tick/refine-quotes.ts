import type { Quote } from "#domain/quote.ts"
import { type Answer, type Steps, wait } from "../decide/steps.ts"

type Ask = (units: bigint) => Answer<Quote | null>

/**
 * Quotes of amounts far apart, for the least amounts with their payouts, smallest first: near ones
 * cannot tell a fixed cost from a share, and a quote that pays nothing says nothing about a real
 * order. `bounds`: those of the pair, `null` where they are not known.
 */
export function* refineQuotes(
  quotes: readonly Quote[],
  bounds: Bounds | null,
  ask: Ask,
): Steps<readonly Quote[]> {
  const paying = quotes.filter(({ destinationUnits }) => destinationUnits > 0n).sort(bySize)
  const high = paying.at(-1)
  if (high === undefined) return quotes
  const isSpread = (paying[0]?.sourceUnits ?? 0n) * 2n <= high.sourceUnits
  const ends = isSpread ? paying : [high, ...(yield* askFarther(high, bounds, ask))]
  const refined = new Map<bigint, Quote>()
  for (const quote of ends) {
    const best = yield* sharpen(quote, ask)
    refined.set(best.sourceUnits, best)
  }
  return [...refined.values()].sort(bySize)
}

type Bounds = { readonly minUnits: bigint; readonly maxUnits: bigint | null }

/** A quote of a quarter, or of four times as much. */
function* askFarther({ sourceUnits }: Quote, bounds: Bounds | null, ask: Ask): Steps<Quote[]> {
  const { minUnits = 1n, maxUnits = null } = bounds ?? {}
  const larger = sourceUnits * 4n
  const most = maxUnits !== null && maxUnits < larger ? maxUnits : larger
  const amounts = [sourceUnits / 4n, most].filter((units) => units > 0n && units >= minUnits)
  for (const units of amounts) {
    const quote = units === sourceUnits ? null : yield* wait(ask(units))
    if (quote !== null && quote.destinationUnits > 0n) return [quote]
  }
  return []
}

function bySize(a: Quote, b: Quote): number {
  return a.sourceUnits < b.sourceUnits ? -1 : 1
}

/** A unit of the payout that is worth less, in fiat millionths, hides nothing that matters. */
export const FINE_FIAT = 10_000n

/** Each question halves the part of the amount that may pay nothing. */
const MOST_QUESTIONS = 10

/** At most this part of a unit of the payout is lost in a refined quote. */
export const SHARPNESS = 512n

/**
 * The quote for the least amount with the same payout, nearly. A service pays whole smallest units,
 * so where one of them is worth much, the quote of any other amount shows costs that a better
 * amount would not have, and the line through such quotes would refuse orders that pass.
 */
function* sharpen(quote: Quote, ask: Ask): Steps<Quote> {
  const { destinationUnits: payout, destinationFiat } = quote
  if (payout === 0n || destinationFiat === null || destinationFiat <= payout * FINE_FIAT)
    return quote
  // One unit of the payout costs less than this, because the fixed cost is in it too.
  const perUnit = (quote.sourceUnits + payout - 1n) / payout
  let best = quote
  let tooFew = quote.sourceUnits - perUnit
  if (tooFew < 0n) tooFew = 0n
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const between = best.sourceUnits - tooFew
    const isFine = between * destinationFiat <= quote.sourceUnits * FINE_FIAT
    if (between <= 2n || isFine) break
    const units = tooFew + between / 2n
    const answer = yield* wait(ask(units))
    if (answer === null) break
    if (answer.destinationUnits === payout) best = answer
    else tooFew = units
  }
  return best
}
