import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Need } from "../need.ts"
import { type PairCosts, showUnits } from "../treasury-view.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../value.ts"
import { type Fit, fitDown, fitUp } from "./fit-order.ts"
import type { PlanLimits } from "./limits.ts"
import { askCosts, boundLine, boundLineFees, type CostQuestion } from "./order-costs.ts"
import { alignUp } from "./payout-rounding.ts"
import { type Place, refundRiskFiat } from "./route.ts"

/** The bounds of one order in units of the source, both inclusive, and the cause of each bound. */
export type OrderBounds = { readonly lo: Bound; readonly hi: Bound | null }
type Bound = { readonly units: bigint; readonly cause: BoundCause }
type BoundedRoute = {
  readonly from: Place
  readonly to: Place
  readonly destination?: string | null
}
type BoundCause = "minimum" | "cost" | "least" | "maximum" | "limit" | "fees"

/**
 * The bounds of one order on a pair. They come from the pair, the largest order allowed, the
 * smallest order worth placing, and the cost ceilings. A ceiling in basis points is a lower bound,
 * because the fixed cost weighs more on small orders. A ceiling in fiat is an upper bound. When two
 * needs share the route, the ceilings of both hold; of their smallest orders the smaller one,
 * because one of them would place it anyway.
 *
 * Orders of both bounds keep to the costs as admission judges them, after the service has rounded
 * the payout down. Between them, `fitDown` finds the sizes that do.
 */
export function boundOrder(
  route: BoundedRoute & { readonly quote: PairCosts; readonly needs: readonly Need[] },
  limits: PlanLimits,
  withMargin = true,
): BoundAnswer {
  const { quote, needs } = route
  const ceilings = [limits.maxCost, ...needs.map(({ maxCost }) => maxCost)]
  const costs = askCosts({ ...route, ceilings }, limits, withMargin)
  const { margin, stated } = costs.rounding
  const his: Bound[] = []
  if (quote.maxUnits !== null) his.push({ units: quote.maxUnits, cause: "maximum" })
  for (const max of limitsOf(limits, route)) his.push({ units: max, cause: "limit" })
  const cost = boundLine(costs, margin + stated)
  if (cost === null) return { ok: false, reason: tooDear(costs) }
  const fees = boundLineFees(costs, margin + stated)
  if (fees === "none") return { ok: false, reason: feesSpent(route) }
  const los: Bound[] = [
    { units: quote.minUnits > 0n ? quote.minUnits : 1n, cause: "minimum" },
    { units: cost.lo, cause: "cost" },
    {
      units: needs.map((need) => leastOf(need, route)).reduce((a, b) => (a < b ? a : b)),
      cause: "least",
    },
  ]
  if (cost.hi !== null) his.push({ units: cost.hi, cause: "cost" })
  if (fees !== null) his.push({ units: fees, cause: "fees" })
  const least = los.reduce((a, b) => (b.units > a.units ? b : a))
  const hi = his.reduce<Bound | null>((a, b) => (a === null || b.units < a.units ? b : a), null)
  const fit = fitUp(costs, least.units, hi?.units ?? null)
  const cause = causeOf(least, costs, fit)
  if (!fit.ok) {
    const isNone = fit.least === null || hi === null
    const reason = isNone ? tooDear(costs) : noOrderFits(route, { units: fit.least, cause }, hi)
    return { ok: false, reason }
  }
  const lo = { units: fit.units, cause }
  const most = hi === null ? null : { ...hi, units: fitDown(costs, hi.units, lo.units) }
  return { ok: true, bounds: { lo, hi: most }, costs }
}

type BoundAnswer =
  | { readonly ok: true; readonly bounds: OrderBounds; readonly costs: CostQuestion }
  | { readonly ok: false; readonly reason: Reason }

/** An order that is larger than the pair's minimum asks is so because of its costs. */
function causeOf({ units, cause }: Bound, { pair, rounding }: CostQuestion, fit: Fit): BoundCause {
  const found = fit.ok ? fit.units : fit.least
  const isPlain = found === units || found === alignUp(pair, units, rounding)
  return cause === "minimum" && !isPlain ? "cost" : cause
}

function feesSpent({ from, to }: { readonly from: Place; readonly to: Place }): Reason {
  const message =
    `The fees of an order from ${from.asset.id} to ${to.asset.id} do not fit into what a ` +
    "window of guards.windows still allows"
  return { code: "policy.window", message, from: from.asset.id, to: to.asset.id }
}

/** The largest order by `guards.max_order`, and by a lower limit of the pair. */
function limitsOf(
  { maxOrder, orderLimits = [] }: PlanLimits,
  { from, to, destination = null }: BoundedRoute,
): bigint[] {
  const own = orderLimits.filter(
    (one) =>
      one.from === from.asset.id && one.to === to.asset.id && one.destination === destination,
  )
  return [maxOrder, ...own.map(({ max }) => max)].flatMap((limit) => limitOf(limit, from) ?? [])
}

function limitOf(limit: SoldLimit | null, { asset, priceFiat }: Place): bigint | null {
  if (limit === null) return null
  if (limit.kind === "units") return limit.byAsset[asset.id] ?? null
  return unitsOfValue(asset, priceFiat, limit.fiat * VALUE_PER_FIAT, "down")
}

/**
 * The smallest order worth placing, in units of the source. A gain states it in units of the
 * destination.
 */
function leastOf(need: Need, { from, to }: { readonly from: Place; readonly to: Place }): bigint {
  if (need.kind === "lose") return need.leastUnits
  const value = valueOfUnits(to.asset, to.priceFiat, need.leastUnits)
  return unitsOfValue(from.asset, from.priceFiat, value, "down")
}

/** `amount`: the only amount that counts; absent where every amount is too dear. */
export function tooDear({ pair, ceilings, rounding }: CostQuestion, amount?: string): Reason {
  const { from, to, quote } = pair
  const max = [...new Set(ceilings.map(showCost))]
  const fixed = fiatText(quote.fixedFeeFiat + (quote.networkFeeFiat ?? 0n) + refundRiskFiat(quote))
  const locked = quote.risk?.lockPpb ?? 0n
  const parts = [
    `${fixed} and ${quote.bps} bps`,
    ...(locked === 0n ? [] : [`${formatUnits(locked, 5)} bps for locked money`]),
    `up to ${fiatText(fiatOfValue(rounding.most, "up"))} by the rounding of the payout`,
  ]
  const cost = parts.join(" and ")
  return {
    code: "policy.too_dear",
    message:
      `No order ${amount === undefined ? "" : `of ${amount} `}from ${from.asset.id} to ` +
      `${to.asset.id} stays below the cost ceiling: it costs ` +
      `${cost}, at most ${max.join(", ")}`,
    from: from.asset.id,
    to: to.asset.id,
    fixedFee: fiatText(quote.fixedFeeFiat),
    bps: quote.bps.toString(),
    max: max.join(", "),
  }
}

function noOrderFits(
  { from, to }: { readonly from: Place; readonly to: Place },
  lo: Bound,
  hi: Bound,
): Reason {
  const min = showUnits(from.asset, lo.units)
  const max = showUnits(from.asset, hi.units)
  return {
    code: hi.cause === "cost" || lo.cause === "cost" ? "policy.too_dear" : "policy.no_order_fits",
    message:
      `An order from ${from.asset.id} to ${to.asset.id} would need at least ${min} ` +
      `(${CAUSES[lo.cause]}) and at most ${max} (${CAUSES[hi.cause]})`,
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
