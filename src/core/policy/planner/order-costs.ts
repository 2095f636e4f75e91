import type { CostLimit } from "#domain/order.ts"
import { PPB } from "#domain/order-cost.ts"
import type { OwnCosts } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../value.ts"
import type { PlanLimits } from "./limits.ts"
import {
  lostValue,
  type PayoutRounding,
  type PricedPair,
  payoutRounding,
} from "./payout-rounding.ts"
import { fixedTotalOf, type Place, PPB_PER_BPS, rateOf, valueIn, windowFeesOf } from "./route.ts"

/** What admission would ask about the costs of an order on a pair, and the rounding to count. */
export type CostQuestion = {
  readonly pair: PricedPair
  readonly ceilings: readonly CostLimit[]
  /** The least that a window of fees leaves; `null` without such a window. */
  readonly feesLeftFiat: bigint | null
  readonly rounding: PayoutRounding
}

export function askCosts(
  pair: PricedPair & { readonly ceilings: readonly (CostLimit | null)[] },
  limits: PlanLimits,
  withMargin: boolean,
): CostQuestion {
  const lefts = (limits.windows ?? [])
    .map(({ leftFeesFiat }) => leftFeesFiat)
    .filter((left) => left !== null)
  return {
    pair,
    ceilings: pair.ceilings.filter((limit) => limit !== null),
    feesLeftFiat: lefts.reduce<bigint | null>(tighter, null),
    rounding: payoutRounding(pair, withMargin),
  }
}

/** The tightest ceiling in fiat millionths; `null` for none. */
export function fiatCeilingOf({ ceilings }: Pick<CostQuestion, "ceilings">): bigint | null {
  return ceilings
    .map((ceiling) => (ceiling.kind === "fiat" ? ceiling.fiat : null))
    .reduce(tighter, null)
}

/** Whether admission would accept the costs of this very order, with its payout rounded down. */
export function keepsCosts(question: CostQuestion, units: bigint): boolean {
  const { pair, rounding } = question
  const value = valueIn(pair.from, units)
  const bounds = boundLost(question, lostValue(pair, value, rounding))
  return bounds !== null && units >= bounds.lo && (bounds.hi === null || units <= bounds.hi)
}

type UnitBounds = { readonly lo: bigint; readonly hi: bigint | null }

/**
 * The bounds that the ceilings and windows allow where each order loses this much: `null` for none.
 */
export function boundLost(question: CostQuestion, lost: bigint): UnitBounds | null {
  const fees = boundFees(question, { share: 0n, fixedValue: lost })
  if (fees === "none") return null
  const { quote } = question.pair
  const bounds = boundCosts(question, ({ fixedFeeFiat, ...costs }) => ({
    share: rateOf(costs) - rateOf(quote),
    fixedValue: (fixedFeeFiat - quote.fixedFeeFiat) * VALUE_PER_FIAT + lost,
  }))
  return bounds === null ? null : { lo: bounds.lo, hi: tighter(bounds.hi, fees) }
}

/** The same for the line of the pair, with an allowance for the rounding. */
export function boundLine(question: CostQuestion, rounding: bigint): UnitBounds | null {
  return boundCosts(question, ({ fixedFeeFiat, ...costs }) => ({
    share: rateOf(costs),
    fixedValue: fixedFeeFiat * VALUE_PER_FIAT + rounding,
  }))
}

/** The largest order by the line that fits a window of fees, its refund included. */
export function boundLineFees(question: CostQuestion, rounding: bigint): bigint | "none" | null {
  const { fixedFeeFiat, ...costs } = question.pair.quote
  const fixedValue = fixedFeeFiat * VALUE_PER_FIAT + rounding
  return boundFees(question, { share: rateOf(costs), fixedValue })
}

/** A part of each order's value, in billionths, and a part that each order loses. */
type Line = { readonly share: bigint; readonly fixedValue: bigint }

/**
 * Costs by reference prices may pass a ceiling by the tolerance of these prices, and then the costs
 * by the quote's own values must keep to the ceiling itself, as in `judgeOfferCost`.
 */
function boundCosts(
  { pair: { from, quote }, ceilings }: CostQuestion,
  toLine: (costs: OwnCosts) => Line,
): UnitBounds | null {
  const lines: OwnCosts[] = [{ ...quote, bps: quote.bps - (quote.toleranceBps ?? 0n) }]
  if (quote.own) lines.push(quote.own)
  const extraValue = fixedTotalOf({ ...quote, fixedFeeFiat: 0n })
  const bounds = lines.map((costs) => {
    const { share, fixedValue } = toLine(costs)
    return boundShare(from, ceilings, {
      fixedValue: fixedValue + extraValue,
      share: share + (quote.risk?.lockPpb ?? 0n),
    })
  })
  return bounds.reduce((a, b) =>
    a === null || b === null ? null : { lo: a.lo > b.lo ? a.lo : b.lo, hi: tighter(a.hi, b.hi) },
  )
}

function boundShare(
  from: Place,
  ceilings: readonly CostLimit[],
  { fixedValue, share }: Line,
): UnitBounds | null {
  let lo = 1n
  let hi: bigint | null = null
  for (const ceiling of ceilings) {
    if (ceiling.kind === "share") {
      const spare = ceiling.bps * PPB_PER_BPS - share
      if (spare < 0n || (spare === 0n && fixedValue > 0n)) return null
      const value = spare === 0n ? 0n : (fixedValue * PPB + spare - 1n) / spare
      const units = unitsOfValue(from.asset, from.priceFiat, value, "up")
      if (units > lo) lo = units
      continue
    }
    const spareValue = ceiling.fiat * VALUE_PER_FIAT - fixedValue
    if (spareValue < 0n) {
      // A tolerance above the share grows with the order, until the fixed cost is within it.
      if (share >= 0n) return null
      const value = (-spareValue * PPB - share - 1n) / -share
      const units = unitsOfValue(from.asset, from.priceFiat, value, "up")
      if (units > lo) lo = units
      continue
    }
    if (share <= 0n) continue
    hi = tighter(hi, unitsOfValue(from.asset, from.priceFiat, (spareValue * PPB) / share, "down"))
  }
  return { lo, hi }
}

/** `"none"` when no order fits, `null` where the windows bound no size. */
function boundFees(
  { pair: { from, quote }, feesLeftFiat }: CostQuestion,
  { share, fixedValue }: Line,
): bigint | "none" | null {
  if (feesLeftFiat === null) return null
  const besideFiat = (quote.networkFeeFiat ?? 0n) + windowFeesOf(quote)
  const spareValue = (feesLeftFiat - besideFiat) * VALUE_PER_FIAT - fixedValue
  if (spareValue < 0n) return "none"
  if (share <= 0n) return null
  return unitsOfValue(from.asset, from.priceFiat, (spareValue * PPB) / share, "down")
}

function tighter(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
