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
  const smallest = yield* askSmallest(high, bounds, ask)
  if (smallest !== null) return [smallest, yield* sharpen(high, ask)]
  const ends = isSpread ? paying : [high, ...(yield* askFarther(high, bounds, ask))]
  const refined = new Map<bigint, Quote>()
  for (const quote of ends) {
    const best = yield* sharpen(quote, ask)
    refined.set(best.sourceUnits, best)
  }
  return [...refined.values()].sort(bySize)
}

/**
 * The quote for the smallest order of a coarse payout. The line through it bounds the costs of all
 * orders up to the largest; a line through large orders alone may be too low for small ones.
 */
function* askSmallest(high: Quote, bounds: Bounds | null, ask: Ask): Steps<Quote | null> {
  const perUnit = perUnitOf(high)
  const least = bounds?.minUnits ?? 1n
  const amounts = [2n * perUnit, 8n * perUnit].map((units) => (units < least ? least : units))
  const isFar = (units: bigint): boolean => units * 2n <= high.sourceUnits
  const found = isCoarse(high, COARSE_FIAT) ? yield* askFirst(amounts.filter(isFar), ask) : null
  return found === null ? null : yield* sharpen(found, ask, 1n)
}

/** The first quote that pays something. */
function* askFirst(amounts: readonly bigint[], ask: Ask): Steps<Quote | null> {
  for (const units of amounts) {
    const quote = yield* wait(ask(units))
    if (quote !== null && quote.destinationUnits > 0n) return quote
  }
  return null
}

type Bounds = { readonly minUnits: bigint; readonly maxUnits: bigint | null }

/** A quote of a quarter, or of four times as much. */
function* askFarther({ sourceUnits }: Quote, bounds: Bounds | null, ask: Ask): Steps<Quote[]> {
  const { minUnits = 1n, maxUnits = null } = bounds ?? {}
  const larger = sourceUnits * 4n
  const most = maxUnits !== null && maxUnits < larger ? maxUnits : larger
  const amounts = [sourceUnits / 4n, most].filter(
    (units) => units > 0n && units >= minUnits && units !== sourceUnits,
  )
  const found = yield* askFirst(amounts, ask)
  return found === null ? [] : [found]
}

function bySize(a: Quote, b: Quote): number {
  return a.sourceUnits < b.sourceUnits ? -1 : 1
}

/** A unit of the payout that is worth less, in fiat millionths, hides nothing that matters. */
export const FINE_FIAT = 10_000n

/** A unit that is worth more can turn a small order's costs from allowed to refused. */
const COARSE_FIAT = 1_000_000n

/** Each question halves the part of the amount that may pay nothing. */
const MOST_QUESTIONS = 10

/** A quote of so many units is exact to a basis point. */
const MANY_UNITS = 10_000n

/** At most this part of a unit of the payout is lost in a refined quote. */
export const SHARPNESS = 512n

/**
 * The quote for the least amount with the same payout, or with a smaller one, nearly. A service
 * pays whole smallest units, so where one of them is worth much, the quote of any other amount
 * shows costs that a better amount would not have, and the line through such quotes would refuse
 * orders that pass.
 */
function* sharpen(quote: Quote, ask: Ask, payout = quote.destinationUnits): Steps<Quote> {
  const { destinationFiat } = quote
  if (destinationFiat === null || !isCoarse(quote)) return quote
  let best = quote
  let tooFew = payout === quote.destinationUnits ? quote.sourceUnits - perUnitOf(quote) : 0n
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const between = best.sourceUnits - tooFew
    const isFine = between * destinationFiat <= quote.sourceUnits * FINE_FIAT
    if (between <= 1n || between * MANY_UNITS <= quote.sourceUnits || isFine) break
    const units = tooFew + between / 2n
    const answer = yield* wait(ask(units))
    if (answer === null) break
    if (answer.destinationUnits >= payout) best = answer
    else tooFew = units
  }
  return best
}

/** A unit of the payout is worth more than so many fiat millionths. */
function isCoarse({ destinationUnits, destinationFiat }: Quote, fiat = FINE_FIAT): boolean {
  return destinationFiat !== null && destinationFiat > destinationUnits * fiat
}

/** One unit of the payout costs less than this, because the fixed cost is in it too. */
function perUnitOf({ sourceUnits, destinationUnits }: Quote): bigint {
  return (sourceUnits + destinationUnits - 1n) / destinationUnits
}
