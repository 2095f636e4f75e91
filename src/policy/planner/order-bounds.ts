import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import { type PairCosts, showUnits } from "../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../value.ts"
import type { PlanLimits } from "./limits.ts"
import type { Place } from "./route.ts"

/** The bounds of one order in units of the source, both inclusive, and the cause of each bound. */
export type OrderBounds = { readonly lo: Bound; readonly hi: Bound | null }
export type Bound = { readonly units: bigint; readonly cause: BoundCause }
export type BoundCause = "minimum" | "cost" | "least" | "maximum" | "limit"

/**
 * The bounds of one order on a pair. They come from the pair, the largest order allowed, the smallest order worth placing, and the cost
 * ceiling. A ceiling in basis points is a lower bound, because the fixed cost weighs more on small orders. A ceiling in fiat is an upper bound.
 * When two needs share the route, the wider of their bounds holds, because one of them would place the order anyway.
 */
export function boundOrder(
  route: { readonly from: Place; readonly to: Place; readonly quote: PairCosts; readonly needs: readonly Need[] },
  limits: PlanLimits,
): { ok: true; bounds: OrderBounds } | { ok: false; reason: Reason } {
  const { from, quote, needs } = route
  const his: Bound[] = []
  if (quote.maxUnits !== null) his.push({ units: quote.maxUnits, cause: "maximum" })
  const limitUnits = limitOf(limits, from)
  if (limitUnits !== null) his.push({ units: limitUnits, cause: "limit" })
  const ceilings = needs.map((need) => boundCost(from, quote, [limits.maxCost, need.maxCost]))
  const costs = ceilings.filter((ceiling) => ceiling !== null)
  if (costs.length === 0) return { ok: false, reason: tooDear(route, limits, needs) }
  const los: Bound[] = [
    { units: quote.minUnits > 0n ? quote.minUnits : 1n, cause: "minimum" },
    { units: costs.map(({ lo }) => lo).reduce((a, b) => (a < b ? a : b)), cause: "cost" },
    { units: needs.map((need) => leastOf(need, route)).reduce((a, b) => (a < b ? a : b)), cause: "least" },
  ]
  const costHi = costs.map(({ hi }) => hi).reduce((a, b) => (a === null || b === null ? null : a > b ? a : b))
  if (costHi !== null) his.push({ units: costHi, cause: "cost" })
  const lo = los.reduce((a, b) => (b.units > a.units ? b : a))
  const hi = his.reduce<Bound | null>((a, b) => (a === null || b.units < a.units ? b : a), null)
  if (hi === null || hi.units >= lo.units) return { ok: true, bounds: { lo, hi } }
  return { ok: false, reason: noOrderFits(route, lo, hi) }
}

/** The bounds that the cost ceilings allow; `null` when they allow no order. */
function boundCost(
  from: Place,
  quote: PairCosts,
  ceilings: readonly (CostLimit | null)[],
): { lo: bigint; hi: bigint | null } | null {
  let lo = 1n
  let hi: bigint | null = null
  const fixedValue = quote.fixedFeeFiat * VALUE_PER_FIAT
  for (const ceiling of ceilings) {
    if (ceiling === null) continue
    if (ceiling.kind === "share") {
      const spare = ceiling.bps - quote.bps
      if (spare < 0n || (spare === 0n && fixedValue > 0n)) return null
      const value = spare === 0n ? 0n : (fixedValue * 10_000n + spare - 1n) / spare
      const units = unitsOfValue(from.asset, from.priceFiat, value, "up")
      if (units > lo) lo = units
      continue
    }
    const spareValue = ceiling.fiat * VALUE_PER_FIAT - fixedValue
    if (spareValue < 0n) return null
    if (quote.bps <= 0n) continue
    const units = unitsOfValue(from.asset, from.priceFiat, (spareValue * 10_000n) / quote.bps, "down")
    if (hi === null || units < hi) hi = units
  }
  return { lo, hi }
}

function limitOf({ maxOrder }: PlanLimits, { asset, priceFiat }: Place): bigint | null {
  if (maxOrder === null) return null
  if (maxOrder.kind === "units") return maxOrder.byAsset[asset.id] ?? null
  return unitsOfValue(asset, priceFiat, maxOrder.fiat * VALUE_PER_FIAT, "down")
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
  const cost = `${fiatText(quote.fixedFeeFiat)} and ${quote.bps} bps`
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
}

function showCost(limit: CostLimit): string {
  return limit.kind === "share" ? `${limit.bps} bps` : fiatText(limit.fiat)
}

function fiatText(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}
