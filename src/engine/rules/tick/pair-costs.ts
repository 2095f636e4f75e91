import { max } from "#domain/amount.ts"
import { type OrderRisk, PPB } from "#domain/order-cost.ts"
import type { Quote } from "#domain/quote.ts"
import { withoutPayoutFee } from "#guards/price.ts"
import { PPB_PER_BPS } from "#policy/planner/route.ts"
import type { AssetView, OwnCosts, PairCosts, PairView } from "#policy/treasury-view.ts"
import { fiatOfValue, VALUE_PER_FIAT, valueOfUnits } from "#policy/value.ts"
import type { PairQuotes } from "./pair-quotes.ts"
import { FINE_FIAT, SHARPNESS } from "./refine-quotes.ts"

/**
 * The cost of a swap of the pair, as a straight line through its quotes: a fixed part and a share
 * of the sold value. The line is never below the cost of any quote, after the payout is
 * rounded down. It uses the values of the view,
 * so that the expected payout equals the payout of the quotes.
 */
export function toPairCosts(
  { quotes, bounds, cause, available, closed }: PairQuotes,
  from: AssetView,
  to: AssetView,
  basis: PairBasis,
): PairView["quote"] {
  const { networkFeeFiat, refundFeeFiat, risk, toleranceBps } = basis
  const { windowFeesFiat = 0n, payoutFeeUnits = 0n } = basis
  const limits = { minUnits: bounds?.minUnits ?? 0n, maxUnits: bounds?.maxUnits ?? null }
  if (!available) {
    const none = { readable: true, available: false, fixedFeeFiat: 0n, bps: 0n } as const
    return { ...none, ...(closed && { closed }), ...limits }
  }
  if (cause !== null) return { readable: false, cause }
  // Admission judges the payout without the part that its own network fee takes.
  const arriving = withoutPayless(quotes.map((quote) => withoutPayoutFee(quote, payoutFeeUnits)))
  const rounding = roundingOf(from, to)
  const line = lineThrough(
    arriving.map((quote) => costOf(quote, from, to)),
    rounding,
  )
  if (line === null) {
    const code = "policy.price_missing"
    return {
      readable: false,
      cause: { code, message: "The quote has no readable value on one side" },
    }
  }
  const costs: PairCosts = { readable: true, available: true, ...line, ...limits }
  const own = toleranceBps === null ? null : lineThrough(arriving.map(ownCostOf), rounding)
  return {
    ...costs,
    ...(networkFeeFiat > 0n ? { networkFeeFiat } : {}),
    ...(refundFeeFiat > 0n ? { refundFeeFiat } : {}),
    ...(windowFeesFiat > 0n ? { windowFeesFiat } : {}),
    ...(risk !== null && (refundFeeFiat > 0n || risk.lockPpb > 0n) ? { risk } : {}),
    ...(toleranceBps !== null && own !== null ? { toleranceBps, own } : {}),
  }
}

/** A fee beyond the payout shows nowhere, so a line through such a quote would be too low. */
function withoutPayless(quotes: readonly Quote[]): readonly Quote[] {
  const paying = quotes.filter(({ destinationUnits }) => destinationUnits > 0n)
  return paying.length === 0 ? quotes : paying
}

/** The most that the payout of a refined quote loses to its rounding (`refine-quotes.ts`). */
function roundingOf(from: AssetView, to: AssetView): bigint {
  const sold = from.priceFiat === null ? 0n : valueOfUnits(from, from.priceFiat, 1n)
  const paid = to.priceFiat === null ? 0n : valueOfUnits(to, to.priceFiat, 1n)
  const fine = max(max(2n * sold, FINE_FIAT * VALUE_PER_FIAT), paid / SHARPNESS)
  return paid < fine ? paid : fine
}

/**
 * The network fees of a deposit and of a refund, and, where both prices are reference prices, by
 * how much costs may pass a ceiling by them (`judgeReference`).
 */
export type PairBasis = {
  readonly networkFeeFiat: bigint
  readonly refundFeeFiat: bigint
  /** The fees of both that windows count where a relay may pay them. */
  readonly windowFeesFiat?: bigint
  /** The most that the redeemer's own network fee may take from the payout. */
  readonly payoutFeeUnits?: bigint
  readonly risk: OrderRisk | null
  readonly toleranceBps: bigint | null
}

/** `rounding`: the most by which a point is too high, because its payout is rounded down. */
function lineThrough(points: readonly (Point | null)[], rounding: bigint): OwnCosts | null {
  const read = points.filter((point) => point !== null)
  const low = read[0]
  const high = read.at(-1)
  if (low === undefined || high === undefined || read.length < points.length) return null
  const share = slopeOf(low, high, rounding)
  const fixed = read.map(({ value, cost }) => cost - (value * share) / PPB)
  const most = fixed.reduce(max, 0n)
  const least = fixed.reduce((a, b) => (b < a ? b : a))
  // The plan rounds each payout down by itself. The largest fixed part that explains all of these
  // payouts so is enough; more would count their rounding twice.
  const fixedValue = isCoarse(rounding) && most - least < rounding ? max(least, 0n) : most
  // A coarse payout that a quote just reaches must not be missed by a part of a millionth.
  const fixedFeeFiat = fiatOfValue(fixedValue, isCoarse(rounding) ? "down" : "up")
  const bps = (share + PPB_PER_BPS / 2n) / PPB_PER_BPS
  const bpsParts = share - bps * PPB_PER_BPS
  return {
    fixedFeeFiat,
    bps,
    ...(bpsParts === 0n ? {} : { bpsParts }),
  }
}

/** The cost by the quote's own values. */
function ownCostOf({ sourceFiat, destinationFiat }: Quote): Point | null {
  if (sourceFiat === null || destinationFiat === null) return null
  return {
    value: sourceFiat * VALUE_PER_FIAT,
    cost: (sourceFiat - destinationFiat) * VALUE_PER_FIAT,
  }
}

type Point = { readonly value: bigint; readonly cost: bigint }

function costOf(
  { sourceUnits, destinationUnits }: Quote,
  from: AssetView,
  to: AssetView,
): Point | null {
  if (from.priceFiat === null || to.priceFiat === null) return null
  const value = valueOfUnits(from, from.priceFiat, sourceUnits)
  return { value, cost: value - valueOfUnits(to, to.priceFiat, destinationUnits) }
}

/** Payouts lose so much that points say little about a share, but the line between them holds. */
function isCoarse(rounding: bigint): boolean {
  return rounding > FINE_FIAT * VALUE_PER_FIAT
}

/**
 * The share of the sold value in billionths: the least that explains both points, up to the
 * rounding of the payouts, because the fixed part absorbs the rest, and then no order below the
 * points costs more than the line. Services charge whole basis points, so where some explain both
 * points, they are the share. Between coarse points, no order costs more than the line through
 * them. With a single quote, its whole cost counts as a share. A pair with costs that fall with
 * size has only a fixed cost.
 */
function slopeOf(low: Point, high: Point, rounding: bigint): bigint {
  const isOne = high.value <= low.value
  const [value, cost] = isOne
    ? [low.value, low.cost]
    : [high.value - low.value, high.cost - low.cost]
  if (value <= 0n || cost <= 0n) return 0n
  if (isOne) return ((cost * 10_000n + value - 1n) / value) * PPB_PER_BPS
  if (isCoarse(rounding)) return (cost * PPB) / value
  const least = cost > rounding ? cost - rounding : 0n
  const bps = (least * 10_000n + value - 1n) / value
  const isWhole = value * bps <= (cost + rounding) * 10_000n
  if (isWhole) return bps * PPB_PER_BPS
  return (cost * PPB) / value
}
