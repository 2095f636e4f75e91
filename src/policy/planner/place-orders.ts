import type { AssetId } from "#domain/asset.ts"
import { unitsOfValue, valueOfUnits } from "../value.ts"
import type { Lane } from "./build-problem.ts"
import type { Flow } from "./flow-problem.ts"
import { costOfOrder, grossOf, netOf, type Route, sinkKey, smallest } from "./route.ts"

/** One order of the plan. */
export type PlacedOrder = {
  readonly lane: Lane
  /** Smallest units of the source. */
  readonly units: bigint
  /** What the quote's facts let expect, smallest units of the destination, rounded down. */
  readonly receiveUnits: bigint
  /** Internal value (`value.ts`). */
  readonly costValue: bigint
}

/**
 * Flows as orders in whole units: what a refill is to receive gets its costs on top where the source can pay them, several orders are
 * evenly sized, and nothing leaves a source beyond its cap. Where the costs do not fit any more, the largest order pays them itself.
 */
export function placeOrders(lanes: readonly Lane[], flow: Flow): PlacedOrder[] {
  const loads = lanes.flatMap((lane, index): Load[] => {
    const count = BigInt(flow.orders[index] ?? 0)
    return count === 0n ? [] : [{ lane, count, value: flow.flows[index] ?? 0n }]
  })
  const sized = loads.map((load) => ({ ...load, units: sizeLoad(load, loads) }))
  const sources = new Set(sized.map(({ lane }) => lane.route.from.asset.id))
  const kept = [...sources].flatMap((id) => fitSource(sized.filter(({ lane }) => lane.route.from.asset.id === id)))
  return kept.flatMap(splitLoad).sort(byRoute)
}

type Load = { readonly lane: Lane; readonly count: bigint; readonly value: bigint }
type SizedLoad = Load & { readonly units: bigint }

/** What is sold for a load, in units of the source. */
function sizeLoad({ lane, count, value }: Load, loads: readonly Load[]): bigint {
  const { route, bounds, sourceCap } = lane
  const { asset, priceFiat } = route.from
  const sold = needsTopUp(route, loads) ? grossOf(route.quote, value + roundingOf(route, count, loads), count) : value
  const units = unitsOfValue(asset, priceFiat, sold, "up")
  const most = smallest(sourceCap.units, bounds.hi === null ? sourceCap.units : bounds.hi.units * count)
  return smallest(most, units > bounds.lo.units * count ? units : bounds.lo.units * count)
}

/** Costs go on top only where what arrives would otherwise fall short of what the gain wants. */
function needsTopUp(route: Route, loads: readonly Load[]): boolean {
  const { gain, to } = route
  if (gain === null) return false
  const arriving = loads
    .filter(({ lane }) => sameSink(lane.route, route))
    .reduce((sum, { lane, value, count }) => sum + netOf(lane.route.quote, value, count), 0n)
  return arriving < valueOfUnits(to.asset, to.priceFiat, gain.wantUnits)
}

/** Each of several orders may lose part of a unit when it arrives. */
function roundingOf({ to, ...rest }: Route, count: bigint, loads: readonly Load[]): bigint {
  const others = loads.filter(({ lane }) => sameSink(lane.route, { to, ...rest }))
  const orders = others.reduce((sum, other) => sum + other.count, 0n)
  return orders > 1n ? count * valueOfUnits(to.asset, to.priceFiat, 1n) : 0n
}

function sameSink(a: Route, b: Route): boolean {
  return sinkKey(a.to.asset.id, a.destination) === sinkKey(b.to.asset.id, b.destination)
}

/** The loads of one source within its cap, and where costs on top would drain more than is wanted, the other orders less by as much. */
function fitSource(loads: readonly SizedLoad[]): SizedLoad[] {
  const [first] = loads
  if (!first) return []
  const { route, sourceCap } = first.lane
  const trimmed = route.loss === null ? loads : cutLoads(loads, route.loss.wantUnits, ({ gain }) => gain === null)
  const fitted = cutLoads(trimmed, sourceCap.units, () => true)
  if (totalOf(fitted) <= sourceCap.units) return fitted
  // All are as small as orders may be and still too much: the smallest waits for another tick.
  return fitSource(loads.filter(({ lane }) => lane !== fitted.at(-1)?.lane))
}

/** Largest first, and none below the least that its orders may carry. */
function cutLoads(loads: readonly SizedLoad[], cap: bigint, mayCut: (route: Route) => boolean): SizedLoad[] {
  let excess = totalOf(loads) - cap
  const sorted = [...loads].sort((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1))
  return sorted.map((load) => {
    const spare = load.units - load.lane.bounds.lo.units * load.count
    const cut = excess > 0n && mayCut(load.lane.route) ? smallest(excess, spare) : 0n
    excess -= cut
    return { ...load, units: load.units - cut }
  })
}

function totalOf(loads: readonly SizedLoad[]): bigint {
  return loads.reduce((sum, { units }) => sum + units, 0n)
}

function splitLoad({ lane, count, units }: SizedLoad): PlacedOrder[] {
  const { route } = lane
  return Array.from({ length: Number(count) }, (_, index) => {
    const part = units / count + (BigInt(index) < units % count ? 1n : 0n)
    const value = valueOfUnits(route.from.asset, route.from.priceFiat, part)
    const net = netOf(route.quote, value, 1n)
    const receiveUnits = net > 0n ? unitsOfValue(route.to.asset, route.to.priceFiat, net, "down") : 0n
    return { lane, units: part, receiveUnits, costValue: costOfOrder(route.quote, value) }
  })
}

function byRoute(a: PlacedOrder, b: PlacedOrder): number {
  return a.lane.route.key === b.lane.route.key ? 0 : a.lane.route.key < b.lane.route.key ? -1 : 1
}

export function sumUnits(orders: readonly PlacedOrder[], side: "sold" | "received", asset: AssetId): bigint {
  return orders.reduce((sum, { lane: { route }, units, receiveUnits }) => {
    if (side === "sold") return route.from.asset.id === asset ? sum + units : sum
    return route.to.asset.id === asset && route.destination === null ? sum + receiveUnits : sum
  }, 0n)
}
