import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import { type AssetView, showUnits } from "../treasury-view.ts"
import { unitsOfValue, valueOfUnits } from "../value.ts"
import { listingNeeds } from "./build-problem.ts"
import { isCounted } from "./is-counted.ts"
import { describeFullPlan, type OrderCount, type PlanLimits } from "./limits.ts"
import { CAUSES } from "./order-bounds.ts"
import { type OrderRoute, usableWindow } from "./order-route.ts"
import { payoutUnits } from "./payout-rounding.ts"
import { type PlacedOrder, sumUnits } from "./place-orders.ts"
import { grossOf, smallest, valueIn } from "./route.ts"

/**
 * The reasons why a need is not met or only partly met: first the missing amount, then one reason
 * for each listed partner.
 */
export function explainNeed(
  need: Need,
  asset: AssetView,
  plan: {
    readonly orders: readonly PlacedOrder[]
    readonly orderRoutes: readonly OrderRoute[]
    readonly blocked: readonly { readonly need: Need; readonly reason: Reason }[]
    readonly limits: PlanLimits
  },
): { coveredUnits: bigint; met: boolean; reasons: readonly Reason[] } {
  const coveredUnits = coveredBy(need, plan.orders)
  if (coveredUnits >= need.wantUnits) {
    const other = findForeign(need, plan.orders)
    return {
      coveredUnits,
      met: other === null,
      reasons: other === null ? [] : [assetInUse(need, other)],
    }
  }
  const missingUnits = need.wantUnits - coveredUnits
  const [want = "", covered = "", missing = ""] = [need.wantUnits, coveredUnits, missingUnits].map(
    (units) => showUnits(asset, units),
  )
  const numbers = { asset: asset.id, want, moved: covered, missing }
  const partial: Reason = {
    code: "policy.partial",
    message:
      `${asset.id} is to ${need.kind} ${want}; the plan moves ${covered}, and ${missing} stay ` +
      "undone",
    ...numbers,
  }
  const orderRoutes = plan.orderRoutes.filter(({ route }) => listingNeeds(route).includes(need))
  const causes = [
    ...plan.blocked.filter((entry) => entry.need === need).map(({ reason }) => reason),
    ...orderRoutes.map((orderRoute) => explainRoute(need, orderRoute, missingUnits, plan)),
  ]
  if (need.partners.length === 0) causes.push(noPartner(need))
  return { coveredUnits, met: false, reasons: coveredUnits > 0n ? [partial, ...causes] : causes }
}

/** Units that arrive for a gain, or leave for a loss, under a plan. */
export function coveredBy({ kind, asset }: Need, orders: readonly PlacedOrder[]): bigint {
  return sumUnits(orders, kind === "gain" ? "received" : "sold", asset)
}

/** The rule whose orders cover the need, where no order serves the need itself. */
function findForeign(need: Need, orders: readonly PlacedOrder[]): string | null {
  if (orders.some(({ orderRoute: { route } }) => route.loss === need || route.gain === need))
    return null
  const foreign = orders.find((order) => coveredBy(need, [order]) > 0n)
  const other = foreign?.orderRoute.route.loss ?? foreign?.orderRoute.route.gain
  return other?.rule ?? null
}

/** The asset of the need moves for another rule in this tick. */
export function assetInUse({ asset, rule: own }: Need, rule: string): Reason {
  const message = `${asset} is already moved by ${rule} in this tick; ${own} looks again afterwards`
  return { code: "policy.asset_claimed", message, asset, rule }
}

function explainRoute(
  need: Need,
  orderRoute: OrderRoute,
  missingUnits: bigint,
  { orders, limits }: { readonly orders: readonly PlacedOrder[]; readonly limits: PlanLimits },
): Reason {
  const { route, bounds, sourceCap } = orderRoute
  const { from, to } = route
  const pair = { from: from.asset.id, to: to.asset.id }
  const used = orders.some((order) => order.orderRoute === orderRoute)
  const restUnits = need.kind === "lose" ? missingUnits : soldFor(orderRoute, missingUnits)
  const rest = showUnits(from.asset, restUnits)
  if (!used && restUnits < bounds.lo.units) {
    const min = showUnits(from.asset, bounds.lo.units)
    const code = bounds.lo.cause === "cost" ? "policy.too_dear" : "policy.below_minimum"
    const message =
      `What is missing is ${rest} of ${pair.from}, and an order to ${pair.to} takes at least ` +
      `${min} (${CAUSES[bounds.lo.cause]})`
    return { code, message, ...pair, units: rest, min, cause: bounds.lo.cause }
  }
  const window = explainWindow(orderRoute, orders, limits)
  if (window !== null) return window
  const count = limits.counts?.find(
    (one) => isCounted(one, route) && countOf(one, orders) >= one.left,
  )
  if (count !== undefined) return count.reason
  const soldUnits = sumUnits(orders, "sold", from.asset.id)
  const leftUnits = sourceCap.units - soldUnits
  if (leftUnits < restUnits && leftUnits < bounds.lo.units) {
    const left = showUnits(from.asset, leftUnits)
    const have = showUnits(from.asset, sourceCap.units)
    const what = WHAT_LIMITS[sourceCap.cause] ?? "may leave without leaving its bounds"
    const message = `Of ${pair.from} ${have} ${what}, and after this plan ${left} of it is left`
    const code = sourceCap.cause === "liquid" ? "policy.illiquid" : "policy.no_room"
    return { code, message, ...pair, have, left, need: rest }
  }
  if (orders.length >= limits.maxOrders) {
    const max = String(limits.maxOrders)
    return { code: "policy.order_count", message: describeFullPlan(limits.maxOrders), ...pair, max }
  }
  if (used && !limits.split && bounds.hi !== null) {
    const max = showUnits(from.asset, bounds.hi.units)
    const message =
      `One order from ${pair.from} to ${pair.to} sells at most ${max} ` +
      `(${CAUSES[bounds.hi.cause]}), and it may not be split`
    return { code: "policy.order_limit", message, ...pair, max, cause: bounds.hi.cause }
  }
  const full = explainFullSink(need, orderRoute, orders)
  if (full !== null) return full
  const message =
    `Selling ${rest} more of ${pair.from} for ${pair.to} would cost more than the ceiling ` +
    "allows, or more than one order may carry"
  return {
    code: "policy.too_dear",
    message,
    ...pair,
    units: rest,
    fixedFeeFiat: route.quote.fixedFeeFiat.toString(),
    bps: route.quote.bps.toString(),
  }
}

/**
 * The plan brings the sink nearly all that it may take, or one more unit of the source would bring
 * it above its max.
 */
function explainFullSink(
  need: Need,
  orderRoute: OrderRoute,
  orders: readonly PlacedOrder[],
): Reason | null {
  const { route, bounds, sourceCap, sinkCapUnits, sinkRoomUnits } = orderRoute
  const { from, to } = route
  const pair = { from: from.asset.id, to: to.asset.id }
  const arrivedUnits = sumUnits(orders, "received", pair.to)
  if (sinkRoomUnits !== null && valueIn(to, sinkRoomUnits - arrivedUnits) < valueIn(from, 1n)) {
    const [have, moved] = [sinkRoomUnits, arrivedUnits].map((units) => showUnits(to.asset, units))
    const message =
      `${pair.to} may take ${have} up to its max, and the plan brings it ${moved}; one more ` +
      `smallest unit of ${pair.from} would pay too much`
    return { code: "policy.no_room", message, ...pair, have: have ?? "", moved: moved ?? "" }
  }
  if (sinkCapUnits === null || need.kind === "gain") return null
  const have = showUnits(to.asset, sinkCapUnits)
  const room = `${pair.to} may take ${have} without leaving its own bounds`
  const numbers = { code: "policy.no_room", ...pair, have }
  if (arrivedUnits * 100n >= sinkCapUnits * 99n)
    return { ...numbers, message: `${room}, and the plan brings it that` }
  const most = smallest(sourceCap.units, bounds.hi?.units ?? sourceCap.units)
  const isSmall = payoutUnits(route, valueIn(from, most)) > sinkCapUnits
  return arrivedUnits > 0n || !isSmall
    ? null
    : { ...numbers, message: `${room}, and no order that small is worth its cost` }
}

function countOf(count: OrderCount, orders: readonly PlacedOrder[]): number {
  return orders.filter(({ orderRoute }) => isCounted(count, orderRoute.route)).length
}

const WHAT_LIMITS: Readonly<Record<string, string>> = {
  liquid: "is liquid",
  fair: "may go before the partner is as near to its own bound",
}

/** The window that ends the plan: what it leaves is less than the route's smallest order. */
function explainWindow(
  { route: { from, to }, bounds, sourceCap, assetCap }: OrderRoute,
  orders: readonly PlacedOrder[],
  limits: PlanLimits,
): Reason | null {
  const room = usableWindow(limits)
  const lo = valueOfUnits(from.asset, from.priceFiat, bounds.lo.units)
  const sold = orders.reduce(
    (sum, { orderRoute: { route }, units }) => sum + valueIn(route.from, units),
    0n,
  )
  const isFull = room !== null && room - sold < (lo > room / 50n ? lo : room / 50n)
  const leftUnits =
    assetCap.cause === "window" ? assetCap.units - sumUnits(orders, "sold", from.asset.id) : null
  const isSoldOut = leftUnits !== null && leftUnits < bounds.lo.units
  const isFeeBound = bounds.hi?.cause === "fees"
  if (!isFull && !isSoldOut && !isFeeBound) return null
  const most = showUnits(from.asset, sourceCap.units)
  const message =
    `guards.windows allows no more orders from ${from.asset.id} to ${to.asset.id} in this ` +
    "tick; the rest waits"
  return { code: "policy.window", message, from: from.asset.id, to: to.asset.id, most }
}

/** Units to sell on the route so that `units` arrive. */
function soldFor({ route: { from, to, quote } }: OrderRoute, units: bigint): bigint {
  const value = grossOf(quote, valueOfUnits(to.asset, to.priceFiat, units), 1n)
  return unitsOfValue(from.asset, from.priceFiat, value, "up")
}

function noPartner(need: Need): Reason {
  const list = need.kind === "gain" ? "sources" : "sinks"
  const message = `${need.rule} names no ${list}, so ${need.asset} can only be moved by hand`
  return { code: "policy.no_partner", message, asset: need.asset }
}
