import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import { PPB } from "#domain/order-cost.ts"
import type { Reason } from "#domain/reason.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Need } from "../need.ts"
import { type OwnCosts, type PairCosts, showUnits } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../value.ts"
import type { PlanLimits } from "./limits.ts"
import { fixedCostOf, fixedTotalOf, type Place, PPB_PER_BPS, refundRiskFiat, shareOf } from "./route.ts"

/** The bounds of one order in units of the source, both inclusive, and the cause of each bound. */
export type OrderBounds = { readonly lo: Bound; readonly hi: Bound | null }
export type Bound = { readonly units: bigint; readonly cause: BoundCause }
type BoundedRoute = { readonly from: Place; readonly to: Place; readonly destination?: string | null }
export type BoundCause = "minimum" | "cost" | "least" | "maximum" | "limit" | "fees"

/**
 * The bounds of one order on a pair. They come from the pair, the largest order allowed, the smallest order worth placing, and the cost
 * ceilings. A ceiling in basis points is a lower bound, because the fixed cost weighs more on small orders. A ceiling in fiat is an upper bound.
 * When two needs share the route, the ceilings of both hold; of their smallest orders the smaller one, because one of them would place it anyway.
 */
export function boundOrder(
  route: BoundedRoute & { readonly quote: PairCosts; readonly needs: readonly Need[] },
  limits: PlanLimits,
): { ok: true; bounds: OrderBounds } | { ok: false; reason: Reason } {
  const { from, quote, needs } = route
  const his: Bound[] = []
  if (quote.maxUnits !== null) his.push({ units: quote.maxUnits, cause: "maximum" })
  for (const max of limitsOf(limits, route)) his.push({ units: max, cause: "limit" })
  const cost = boundCosts(from, quote, [limits.maxCost, ...needs.map(({ maxCost }) => maxCost)])
  if (cost === null) return { ok: false, reason: tooDear(route, limits, needs) }
  const fees = boundFees(from, quote, limits)
  if (fees === "none") return { ok: false, reason: feesSpent(route) }
  const los: Bound[] = [
    { units: quote.minUnits > 0n ? quote.minUnits : 1n, cause: "minimum" },
    { units: cost.lo, cause: "cost" },
    { units: needs.map((need) => leastOf(need, route)).reduce((a, b) => (a < b ? a : b)), cause: "least" },
  ]
  if (cost.hi !== null) his.push({ units: cost.hi, cause: "cost" })
  if (fees !== null) his.push({ units: fees, cause: "fees" })
  const lo = los.reduce((a, b) => (b.units > a.units ? b : a))
  const hi = his.reduce<Bound | null>((a, b) => (a === null || b.units < a.units ? b : a), null)
  if (hi === null || hi.units >= lo.units) return { ok: true, bounds: { lo, hi } }
  return { ok: false, reason: noOrderFits(route, lo, hi) }
}

type CostBounds = { readonly lo: bigint; readonly hi: bigint | null }

/**
 * The bounds that the cost ceilings allow; `null` when they allow no order. Costs by reference prices may pass a ceiling by the tolerance of these
 * prices, and then the costs by the quote's own values must keep to the ceiling itself, as in `judgeOfferCost`.
 */
function boundCosts(from: Place, quote: PairCosts, ceilings: readonly (CostLimit | null)[]): CostBounds | null {
  const lines: OwnCosts[] = [{ ...quote, bps: quote.bps - (quote.toleranceBps ?? 0n) }]
  if (quote.own) lines.push(quote.own)
  const bounds = lines.map(({ fixedFeeFiat, bps }) =>
    boundLine(from, { fixedValue: fixedTotalOf({ ...quote, fixedFeeFiat }), share: shareOf(bps, quote) }, ceilings),
  )
  return bounds.reduce((a, b) =>
    a === null || b === null ? null : { lo: larger(a.lo, b.lo), hi: tighter(a.hi, b.hi) },
  )
}

function boundLine(
  from: Place,
  { fixedValue, share }: { readonly fixedValue: bigint; readonly share: bigint },
  ceilings: readonly (CostLimit | null)[],
): CostBounds | null {
  let lo = 1n
  let hi: bigint | null = null
  for (const ceiling of ceilings) {
    if (ceiling === null) continue
    if (ceiling.kind === "share") {
      const spare = ceiling.bps * PPB_PER_BPS - share
      if (spare < 0n || (spare === 0n && fixedValue > 0n)) return null
      const value = spare === 0n ? 0n : (fixedValue * PPB + spare - 1n) / spare
      const units = unitsOfValue(from.asset, from.priceFiat, value, "up")
      if (units > lo) lo = units
      continue
    }
    const spareValue = ceiling.fiat * VALUE_PER_FIAT - fixedValue
    if (spareValue < 0n) return null
    if (share <= 0n) continue
    hi = tighter(hi, unitsOfValue(from.asset, from.priceFiat, (spareValue * PPB) / share, "down"))
  }
  return { lo, hi }
}

/** The largest order whose fees, its refund included, fit into every window of fees; `"none"` when no order fits, `null` without such a window. */
function boundFees(from: Place, quote: PairCosts, { windows = [] }: PlanLimits): bigint | "none" | null {
  const lefts = windows.map(({ leftFeesFiat }) => leftFeesFiat).filter((left) => left !== null)
  const [first, ...others] = lefts
  if (first === undefined) return null
  const left = others.reduce((a, b) => (b < a ? b : a), first)
  const spareValue = left * VALUE_PER_FIAT - fixedCostOf(quote) - (quote.refundFeeFiat ?? 0n) * VALUE_PER_FIAT
  if (spareValue < 0n) return "none"
  if (quote.bps <= 0n) return null
  return unitsOfValue(from.asset, from.priceFiat, (spareValue * 10_000n) / quote.bps, "down")
}

function feesSpent({ from, to }: { readonly from: Place; readonly to: Place }): Reason {
  const message = `The fees of an order from ${from.asset.id} to ${to.asset.id} do not fit into what a window of guards.windows still allows`
  return { code: "policy.window", message, from: from.asset.id, to: to.asset.id }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function tighter(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** The largest order by `guards.max_order`, and by a lower limit of the pair. */
function limitsOf(
  { maxOrder, orderLimits = [] }: PlanLimits,
  { from, to, destination = null }: BoundedRoute,
): bigint[] {
  const own = orderLimits.filter(
    (one) => one.from === from.asset.id && one.to === to.asset.id && one.destination === destination,
  )
  return [maxOrder, ...own.map(({ max }) => max)].flatMap((limit) => limitOf(limit, from) ?? [])
}

function limitOf(limit: SoldLimit | null, { asset, priceFiat }: Place): bigint | null {
  if (limit === null) return null
  if (limit.kind === "units") return limit.byAsset[asset.id] ?? null
  return unitsOfValue(asset, priceFiat, limit.fiat * VALUE_PER_FIAT, "down")
}

/** The smallest order worth placing, in units of the source. A gain states it in units of the destination. */
function leastOf(need: Need, { from, to }: { readonly from: Place; readonly to: Place }): bigint {
  if (need.kind === "lose") return need.leastUnits
  const value = valueOfUnits(to.asset, to.priceFiat, need.leastUnits)
  return unitsOfValue(from.asset, from.priceFiat, value, "down")
}

function tooDear(
  { from, to, quote }: { readonly from: Place; readonly to: Place; readonly quote: PairCosts },
  limits: PlanLimits,
  needs: readonly Need[],
): Reason {
  const ceilings = [limits.maxCost, ...needs.map(({ maxCost }) => maxCost)].filter((limit) => limit !== null)
  const max = [...new Set(ceilings.map(showCost))]
  const fixed = fiatText(quote.fixedFeeFiat + (quote.networkFeeFiat ?? 0n) + refundRiskFiat(quote))
  const locked = quote.risk?.lockPpb ?? 0n
  const cost = `${fixed} and ${quote.bps} bps${locked === 0n ? "" : ` and ${formatUnits(locked, 5)} bps for locked money`}`
  return {
    code: "policy.too_dear",
    message: `No order from ${from.asset.id} to ${to.asset.id} stays below the cost ceiling: it costs ${cost}, at most ${max.join(", ")}`,
    from: from.asset.id,
    to: to.asset.id,
    fixedFee: fiatText(quote.fixedFeeFiat),
    bps: quote.bps.toString(),
    max: max.join(", "),
  }
}

function noOrderFits({ from, to }: { readonly from: Place; readonly to: Place }, lo: Bound, hi: Bound): Reason {
  const [min, max] = [showUnits(from.asset, lo.units), showUnits(from.asset, hi.units)]
  return {
    code: hi.cause === "cost" || lo.cause === "cost" ? "policy.too_dear" : "policy.no_order_fits",
    message: `An order from ${from.asset.id} to ${to.asset.id} would need at least ${min} (${CAUSES[lo.cause]}) and at most ${max} (${CAUSES[hi.cause]})`,
    from: from.asset.id,
    to: to.asset.id,
    min,
    minCause: lo.cause,
    max,
    maxCause: hi.cause,
  }
}

export const CAUSES: Readonly<Record<BoundCause, string>> = {
  minimum: "the pair's minimum",
  maximum: "the pair's maximum",
  limit: "the largest order allowed",
  least: "the smallest order worth placing",
  cost: "the cost ceiling",
  fees: "the rest of a window of fees",
}

function showCost(limit: CostLimit): string {
  return limit.kind === "share" ? `${limit.bps} bps` : fiatText(limit.fiat)
}

function fiatText(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}
