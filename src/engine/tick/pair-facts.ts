import type { Quote } from "#domain/quote.ts"
import type { AssetView, PairView, QuoteFacts } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import type { PairQuotes } from "./pair-quotes.ts"

/**
 * What a swap of the pair costs, as a straight line through its quotes: a fixed part and a share of what is sold, never below what any of the
 * quotes costs. Values are those of the view, so that what is expected to arrive is what the quotes pay.
 */
export function toQuoteFacts(
  { quotes, bounds, cause, available }: PairQuotes,
  from: AssetView,
  to: AssetView,
  networkFeeFiat: bigint,
): PairView["quote"] {
  const limits = { minUnits: bounds?.minUnits ?? 0n, maxUnits: bounds?.maxUnits ?? null }
  if (!available) return { readable: true, available: false, fixedFeeFiat: 0n, bps: 0n, ...limits }
  if (cause !== null) return { readable: false, cause }
  const points = quotes.map((quote) => costOf(quote, from, to))
  const [low, high] = [points[0], points.at(-1)]
  if (low === undefined || high === undefined || low === null || high === null) {
    const code = "policy.price_missing"
    return { readable: false, cause: { code, message: "The quote has no readable value on one side" } }
  }
  const bps = slopeOf(low, high)
  const fixedValue = [low, high].reduce((most, { value, cost }) => max(most, cost - (value * bps) / 10_000n), 0n)
  const facts: QuoteFacts = {
    readable: true,
    available: true,
    fixedFeeFiat: fiatOfValue(fixedValue, "up"),
    bps,
    ...limits,
  }
  return networkFeeFiat > 0n ? { ...facts, networkFeeFiat } : facts
}

type Point = { readonly value: bigint; readonly cost: bigint }

function costOf({ sourceUnits, destinationUnits }: Quote, from: AssetView, to: AssetView): Point | null {
  if (from.priceFiat === null || to.priceFiat === null) return null
  const value = valueOfUnits(from, from.priceFiat, sourceUnits)
  return { value, cost: value - valueOfUnits(to, to.priceFiat, destinationUnits) }
}

/**
 * To the nearest basis point: quotes are rounded to units, and what the rounding leaves the fixed part takes. With one amount only, all of its cost
 * counts as a share. A pair that gets cheaper with size has a fixed cost only.
 */
function slopeOf(low: Point, high: Point): bigint {
  const isOne = high.value <= low.value
  const [value, cost] = isOne ? [low.value, low.cost] : [high.value - low.value, high.cost - low.cost]
  if (value <= 0n || cost <= 0n) return 0n
  return (cost * 10_000n + (isOne ? value - 1n : value / 2n)) / value
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
