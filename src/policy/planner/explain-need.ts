import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import { type AssetView, showUnits } from "../treasury-view.ts"
import { unitsOfValue, valueOfUnits } from "../value.ts"
import { type Lane, listingNeeds } from "./build-problem.ts"
import type { PlanLimits } from "./limits.ts"
import { CAUSES } from "./order-bounds.ts"
import { type PlacedOrder, sumUnits } from "./place-orders.ts"
import { grossOf } from "./route.ts"

/** Why a need is not met, or only in part: how much is missing, then one reason for each partner of its list. */
export function explainNeed(
  need: Need,
  asset: AssetView,
  plan: {
    readonly orders: readonly PlacedOrder[]
    readonly lanes: readonly Lane[]
    readonly blocked: readonly { readonly need: Need; readonly reason: Reason }[]
    readonly limits: PlanLimits
  },
): { movedUnits: bigint; met: boolean; reasons: readonly Reason[] } {
  const movedUnits = movedFor(need, plan.orders)
  if (movedUnits >= need.wantUnits) return { movedUnits, met: true, reasons: [] }
  const missingUnits = need.wantUnits - movedUnits
  const [want, moved, missing] = [need.wantUnits, movedUnits, missingUnits].map((units) => showUnits(asset, units))
  const numbers = { asset: asset.id, want: want ?? "", moved: moved ?? "", missing: missing ?? "" }
  const partial: Reason = {
    code: "policy.partial",
    message: `${asset.id} is to ${need.kind} ${want}; the plan moves ${moved}, and ${missing} stay undone`,
    ...numbers,
  }
  const lanes = plan.lanes.filter(({ route }) => listingNeeds(route).includes(need))
  const causes = [
    ...plan.blocked.filter((entry) => entry.need === need).map(({ reason }) => reason),
    ...lanes.map((lane) => explainLane(need, lane, missingUnits, plan)),
  ]
  if (need.partners.length === 0) causes.push(noPartner(need))
  return { movedUnits, met: false, reasons: movedUnits > 0n ? [partial, ...causes] : causes }
}

/** What a plan does for a need: what arrives for a gain, what leaves for a loss. */
export function movedFor({ kind, asset }: Need, orders: readonly PlacedOrder[]): bigint {
  return sumUnits(orders, kind === "gain" ? "received" : "sold", asset)
}

function explainLane(
  need: Need,
  lane: Lane,
  missingUnits: bigint,
  { orders, limits }: { readonly orders: readonly PlacedOrder[]; readonly limits: PlanLimits },
): Reason {
  const { route, bounds, sourceCap } = lane
  const { from, to } = route
  const pair = { from: from.asset.id, to: to.asset.id }
  const used = orders.some((order) => order.lane === lane)
  const restUnits = need.kind === "lose" ? missingUnits : soldFor(lane, missingUnits)
  const rest = showUnits(from.asset, restUnits)
  if (!used && restUnits < bounds.lo.units) {
    const min = showUnits(from.asset, bounds.lo.units)
    const code = bounds.lo.cause === "cost" ? "policy.too_dear" : "policy.below_minimum"
    const message = `What is missing is ${rest} of ${pair.from}, and an order to ${pair.to} takes at least ${min} (${CAUSES[bounds.lo.cause]})`
    return { code, message, ...pair, units: rest, min, cause: bounds.lo.cause }
  }
  const soldUnits = sumUnits(orders, "sold", from.asset.id)
  const leftUnits = sourceCap.units - soldUnits
  if (leftUnits < restUnits && leftUnits < bounds.lo.units) {
    const [left, have] = [showUnits(from.asset, leftUnits), showUnits(from.asset, sourceCap.units)]
    const what = sourceCap.cause === "liquid" ? "is liquid" : "may leave without leaving its bounds"
    const message = `Of ${pair.from} ${have} ${what}, and after this plan ${left} of it is left`
    const code = sourceCap.cause === "liquid" ? "policy.illiquid" : "policy.no_room"
    return { code, message, ...pair, have, left, need: rest }
  }
  if (orders.length >= limits.maxOrders) {
    const max = String(limits.maxOrders)
    return {
      code: "policy.order_count",
      message:
        limits.maxOrders === 0
          ? "As many orders are under way as may be"
          : `The plan has its ${max} orders, and no more are allowed`,
      ...pair,
      max,
    }
  }
  if (used && !limits.split && bounds.hi !== null) {
    const max = showUnits(from.asset, bounds.hi.units)
    const message = `One order from ${pair.from} to ${pair.to} sells at most ${max} (${CAUSES[bounds.hi.cause]}), and it may not be split`
    return { code: "policy.order_limit", message, ...pair, max, cause: bounds.hi.cause }
  }
  const arrivedUnits = sumUnits(orders, "received", to.asset.id)
  if (lane.sinkCapUnits !== null && need.kind === "lose" && arrivedUnits * 100n >= lane.sinkCapUnits * 99n) {
    const room = showUnits(to.asset, lane.sinkCapUnits)
    const message = `${pair.to} may take ${room} without leaving its own bounds, and the plan brings it that`
    return { code: "policy.no_room", message, ...pair, have: room }
  }
  const message = `Selling ${rest} more of ${pair.from} for ${pair.to} would cost more than the ceiling allows, or more than one order may carry`
  return {
    code: "policy.too_dear",
    message,
    ...pair,
    units: rest,
    fixedFeeFiat: route.quote.fixedFeeFiat.toString(),
    bps: route.quote.bps.toString(),
  }
}

/** What must be sold on the lane for that much to arrive. */
function soldFor({ route: { from, to, quote } }: Lane, units: bigint): bigint {
  const value = grossOf(quote, valueOfUnits(to.asset, to.priceFiat, units), 1n)
  return unitsOfValue(from.asset, from.priceFiat, value, "up")
}

function noPartner(need: Need): Reason {
  const list = need.kind === "gain" ? "sources" : "sinks"
  const message = `${need.rule} names no ${list}, so ${need.asset} can only be moved by hand`
  return { code: "policy.no_partner", message, asset: need.asset }
}
