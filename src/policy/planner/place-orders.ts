import type { AssetId } from "#domain/asset.ts"
import { unitsOfValue, valueOfUnits } from "../value.ts"
import type { OrderRoute } from "./build-problem.ts"
import type { Flow } from "./flow-problem.ts"
import { costOfOrder, grossOf, netOf, type Route, sinkKey, smallest } from "./route.ts"

/** One order of the plan. */
export type PlacedOrder = {
  readonly orderRoute: OrderRoute
  /** Smallest units of the source. */
  readonly units: bigint
  /** The expected payout by the quote, in smallest units of the destination, rounded down. */
  readonly receiveUnits: bigint
  /** Internal value (`value.ts`). */
  readonly costValue: bigint
}

/**
 * Turns flows into orders in whole units. The orders of a refill sell the costs on top when the source can pay them, several orders have even
 * sizes, and no source gives more than its cap. When the costs do not fit, the largest order shrinks by them.
 */
export function placeOrders(orderRoutes: readonly OrderRoute[], flow: Flow): PlacedOrder[] {
  const loads = orderRoutes.flatMap((orderRoute, index): Load[] => {
    const count = BigInt(flow.orders[index] ?? 0)
    return count === 0n ? [] : [{ orderRoute, count, value: flow.flows[index] ?? 0n }]
  })
  const sized = loads.map((load) => ({ ...load, units: sizeLoad(load, loads) }))
  const sources = new Set(sized.map(({ orderRoute }) => orderRoute.route.from.asset.id))
  const kept = [...sources].flatMap((id) =>
    fitSource(sized.filter(({ orderRoute }) => orderRoute.route.from.asset.id === id)),
  )
  return kept.flatMap(splitLoad).sort(byRoute)
}

type Load = { readonly orderRoute: OrderRoute; readonly count: bigint; readonly value: bigint }
type SizedLoad = Load & { readonly units: bigint }

/** The units of the source to sell for a load. */
function sizeLoad({ orderRoute, count, value }: Load, loads: readonly Load[]): bigint {
  const { route, bounds, sourceCap } = orderRoute
  const { asset, priceFiat } = route.from
  const sold = needsTopUp(route, loads) ? grossOf(route.quote, value + roundingOf(route, count, loads), count) : value
  const units = unitsOfValue(asset, priceFiat, sold, "up")
  const most = smallest(sourceCap.units, bounds.hi === null ? sourceCap.units : bounds.hi.units * count)
  return smallest(most, units > bounds.lo.units * count ? units : bounds.lo.units * count)
}

/** Costs come on top only when the payouts would otherwise stay below the gain that is needed. */
function needsTopUp(route: Route, loads: readonly Load[]): boolean {
  const { gain, to } = route
  if (gain === null) return false
  const arriving = loads
    .filter(({ orderRoute }) => sameSink(orderRoute.route, route))
    .reduce((sum, { orderRoute, value, count }) => sum + netOf(orderRoute.route.quote, value, count), 0n)
  return arriving < valueOfUnits(to.asset, to.priceFiat, gain.wantUnits)
}

/** Each of several orders can lose part of a unit to rounding when it arrives. */
function roundingOf({ to, ...rest }: Route, count: bigint, loads: readonly Load[]): bigint {
  const others = loads.filter(({ orderRoute }) => sameSink(orderRoute.route, { to, ...rest }))
  const orders = others.reduce((sum, other) => sum + other.count, 0n)
  return orders > 1n ? count * valueOfUnits(to.asset, to.priceFiat, 1n) : 0n
}

function sameSink(a: Route, b: Route): boolean {
  return sinkKey(a.to.asset.id, a.destination) === sinkKey(b.to.asset.id, b.destination)
}

/** Fits the loads of one source into its cap. When costs on top would drain more than the loss needs, the other orders shrink by that amount. */
function fitSource(loads: readonly SizedLoad[]): SizedLoad[] {
  const [first] = loads
  if (!first) return []
  const { route, sourceCap } = first.orderRoute
  const trimmed = route.loss === null ? loads : cutLoads(loads, route.loss.wantUnits, ({ gain }) => gain === null)
  const fitted = cutLoads(trimmed, sourceCap.units, () => true)
  if (totalOf(fitted) <= sourceCap.units) return fitted
  // All loads are at their smallest size and still too much: the smallest load waits for another tick.
  return fitSource(loads.filter(({ orderRoute }) => orderRoute !== fitted.at(-1)?.orderRoute))
}

/** Cuts the largest load first, and no load below the least that its orders may carry. */
function cutLoads(loads: readonly SizedLoad[], cap: bigint, mayCut: (route: Route) => boolean): SizedLoad[] {
  let excess = totalOf(loads) - cap
  const sorted = [...loads].sort((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1))
  return sorted.map((load) => {
    const spare = load.units - load.orderRoute.bounds.lo.units * load.count
    const cut = excess > 0n && mayCut(load.orderRoute.route) ? smallest(excess, spare) : 0n
    excess -= cut
    return { ...load, units: load.units - cut }
  })
}

function totalOf(loads: readonly SizedLoad[]): bigint {
  return loads.reduce((sum, { units }) => sum + units, 0n)
}

function splitLoad({ orderRoute, count, units }: SizedLoad): PlacedOrder[] {
  const { route } = orderRoute
  return Array.from({ length: Number(count) }, (_, index) => {
    const part = units / count + (BigInt(index) < units % count ? 1n : 0n)
    const value = valueOfUnits(route.from.asset, route.from.priceFiat, part)
    const net = netOf(route.quote, value, 1n)
    const receiveUnits = net > 0n ? unitsOfValue(route.to.asset, route.to.priceFiat, net, "down") : 0n
    return { orderRoute, units: part, receiveUnits, costValue: costOfOrder(route.quote, value) }
  })
}

function byRoute(a: PlacedOrder, b: PlacedOrder): number {
  return a.orderRoute.route.key === b.orderRoute.route.key
    ? 0
    : a.orderRoute.route.key < b.orderRoute.route.key
      ? -1
      : 1
}

export function sumUnits(orders: readonly PlacedOrder[], side: "sold" | "received", asset: AssetId): bigint {
  return orders.reduce((sum, { orderRoute: { route }, units, receiveUnits }) => {
    if (side === "sold") return route.from.asset.id === asset ? sum + units : sum
    return route.to.asset.id === asset && route.destination === null ? sum + receiveUnits : sum
  }, 0n)
}
