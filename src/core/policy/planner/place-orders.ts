import { type AssetId, chainOf } from "#domain/asset.ts"
import { PPB } from "#domain/order-cost.ts"
import type { Need } from "../need.ts"
import { unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "../value.ts"
import { fitDown } from "./fit-order.ts"
import type { Flow } from "./flow/flow-problem.ts"
import { type PlanLimits, usableFiat } from "./limits.ts"
import { fiatCeilingOf } from "./order-costs.ts"
import type { OrderRoute } from "./order-route.ts"
import { lostValue, payoutUnits, roundingOf } from "./payout-rounding.ts"
import {
  costOfOrder,
  fixedTotalOf,
  grossOf,
  netOf,
  type Route,
  sinkKey,
  smallest,
  valueIn,
  windowFeesOf,
} from "./route.ts"

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
 * Turns flows into orders in whole units. The orders of a refill sell the costs on top when the
 * source can pay them, several orders have even sizes, and no source gives more than its cap. When
 * the costs do not fit, the largest order shrinks by them. No order brings an asset above its max.
 * Orders that no longer fit into a window with their costs wait for another tick.
 */
export function placeOrders(
  orderRoutes: readonly OrderRoute[],
  flow: Flow,
  limits: PlanLimits,
): PlacedOrder[] {
  const loads = orderRoutes.flatMap((orderRoute, index): Load[] => {
    const count = BigInt(flow.orders[index] ?? 0)
    return count === 0n ? [] : [{ orderRoute, count, value: flow.flows[index] ?? 0n }]
  })
  const sized = loads.map((load) => ({ ...load, units: sizeLoad(load, loads) }))
  const sources = new Set(sized.map(({ orderRoute }) => orderRoute.route.from.asset.id))
  const kept = [...sources].flatMap((id) =>
    fitSource(
      sized.filter(({ orderRoute }) => orderRoute.route.from.asset.id === id),
      { limits, others: sized.filter(({ orderRoute }) => orderRoute.route.from.asset.id !== id) },
    ),
  )
  const sinks = new Set(kept.map(({ orderRoute: { route } }) => sinkOf(route)))
  const fitted = [...sinks].flatMap((sink) =>
    fitSink(kept.filter(({ orderRoute: { route } }) => sinkOf(route) === sink)),
  )
  const orders = fitWindows(fitted.flatMap(splitLoad), limits)
  return [...fitCeilings(orders, limits)].sort(byRoute)
}

type Load = { readonly orderRoute: OrderRoute; readonly count: bigint; readonly value: bigint }
type SizedLoad = Load & { readonly units: bigint }

/** The units of the source to sell for a load. */
function sizeLoad({ orderRoute, count, value }: Load, loads: readonly Load[]): bigint {
  const { route, bounds, sourceCap } = orderRoute
  const { asset, priceFiat } = route.from
  const sold = needsTopUp(route, loads)
    ? grossOf(route.quote, value + keptForRounding(orderRoute, count, loads), count)
    : value
  const units = unitsOfValue(asset, priceFiat, sold, "up")
  const most = smallest(
    sourceCap.units,
    bounds.hi === null ? sourceCap.units : bounds.hi.units * count,
  )
  return smallest(most, units > bounds.lo.units * count ? units : bounds.lo.units * count)
}

/** Costs come on top only when the payouts would otherwise stay below the gain that is needed. */
function needsTopUp(route: Route, loads: readonly Load[]): boolean {
  const { gain, to } = route
  if (gain === null) return false
  const arriving = loads
    .filter(({ orderRoute }) => sameSink(orderRoute.route, route))
    .reduce(
      (sum, { orderRoute, value, count }) => sum + netOf(orderRoute.route.quote, value, count),
      0n,
    )
  return arriving < valueOfUnits(to.asset, to.priceFiat, gain.wantUnits)
}

/** Each of several orders can lose part of a unit to rounding when it arrives. */
function keptForRounding(
  { route, costs }: OrderRoute,
  count: bigint,
  loads: readonly Load[],
): bigint {
  const { to } = route
  const others = loads.filter(({ orderRoute }) => sameSink(orderRoute.route, route))
  const orders = others.reduce((sum, other) => sum + other.count, 0n)
  // An aligned order keeps the margin beyond its payout.
  const { aligned, margin } = costs.rounding
  const kept = aligned ? count * margin : 0n
  return kept + (orders > 1n ? count * valueOfUnits(to.asset, to.priceFiat, 1n) : 0n)
}

function sameSink(a: Route, b: Route): boolean {
  return sinkOf(a) === sinkOf(b)
}

function sinkOf({ to, destination }: Route): string {
  return sinkKey(to.asset.id, destination)
}

type Around = { readonly limits: PlanLimits; readonly others: readonly SizedLoad[] }

/**
 * Fits the loads of one source into its cap. When costs on top would drain more than the loss
 * needs, the other orders shrink by that amount.
 */
function fitSource(loads: readonly SizedLoad[], around: Around): SizedLoad[] {
  const [first] = loads
  if (!first) return []
  const { route, assetCap } = first.orderRoute
  const cap = assetCap.units - keptBack(route, loads, around)
  const planned = loads.reduce((sum, { value }) => sum + value, 0n)
  const plannedUnits = unitsOfValue(route.from.asset, route.from.priceFiat, planned, "up")
  const wantUnits =
    route.loss !== null && route.loss.wantUnits > plannedUnits ? route.loss.wantUnits : plannedUnits
  const trimmed =
    route.loss === null ? loads : cutLoads(loads, wantUnits, ({ gain }) => gain === null)
  const fitted = cutLoads(trimmed, cap, () => true)
  if (totalOf(fitted) <= cap) return fitted
  // All loads are at their smallest size and still too much: the smallest load waits for another
  // tick.
  return fitSource(
    loads.filter(({ orderRoute }) => orderRoute !== fitted.at(-1)?.orderRoute),
    around,
  )
}

/**
 * The fees that the orders keep back, where the sold asset pays them: those of its own orders after
 * the first, because the floor of its balance has those of one order, and those of the chain's
 * tokens.
 */
function keptBack(
  { from }: Route,
  loads: readonly SizedLoad[],
  { limits: { gas = [] }, others }: Around,
): bigint {
  const own = gas.find(({ coin }) => coin === from.asset.id)
  if (own === undefined) return 0n
  const tokens = others.filter(
    ({ orderRoute: { route } }) => chainOf(route.from.asset.id) === own.chain,
  )
  const orders = [...loads, ...tokens].reduce(
    (sum, { count }) => sum + count,
    BigInt(own.placed ?? 0),
  )
  return orders < 2n ? 0n : (orders - 1n) * own.perOrderUnits
}

/**
 * Cuts the loads to one sink until it stays within its max. The amounts are rounded up to whole
 * units of the source, and one such unit can be worth many units of the sink, so the payouts can
 * pass a bound that the flows keep.
 */
function fitSink(loads: readonly SizedLoad[]): SizedLoad[] {
  const room = loads[0]?.orderRoute.sinkRoomUnits ?? null
  const excess = room === null ? 0n : loads.reduce((sum, load) => sum + payoutOf(load), 0n) - room
  if (excess <= 0n) return [...loads]
  const sorted = [...loads].sort((a, b) =>
    payoutOf(a) === payoutOf(b) ? 0 : payoutOf(a) > payoutOf(b) ? -1 : 1,
  )
  const largest = sorted.find((load) => spareOf(load) > 0n)
  // All loads are at their smallest size and still too much: the smallest load waits for another
  // tick.
  if (largest === undefined) return fitSink(sorted.slice(0, -1))
  const cut = smallest(spareOf(largest), unitsThatPay(largest.orderRoute.route, excess))
  return fitSink(
    loads.map((load) => (load === largest ? { ...load, units: load.units - cut } : load)),
  )
}

function payoutOf(load: SizedLoad): bigint {
  return splitLoad(load).reduce((sum, { receiveUnits }) => sum + receiveUnits, 0n)
}

/** The fewest units of the source whose payout is at least `units`, without the fixed cost. */
function unitsThatPay({ from, to, quote }: Route, units: bigint): bigint {
  return unitsOfValue(from.asset, from.priceFiat, grossOf(quote, valueIn(to, units), 0n), "up")
}

/**
 * Leaves out the smallest orders until the sum nearly fits into every window, and shrinks the
 * largest by the rest.
 */
function fitWindows(orders: readonly PlacedOrder[], { windows = [] }: PlanLimits): PlacedOrder[] {
  let kept = [...orders].sort((a, b) =>
    a.costValue === b.costValue ? 0 : a.costValue > b.costValue ? -1 : 1,
  )
  for (const window of windows) {
    const fiat = usableFiat(window)
    if (fiat !== null)
      kept = fitSum(kept, fiat * VALUE_PER_FIAT, ({ orderRoute: { route }, units }) =>
        soldValue(route, units),
      )
    if (window.leftFeesFiat !== null)
      kept = fitSum(kept, window.leftFeesFiat * VALUE_PER_FIAT, feesOf)
    for (const [asset, left] of Object.entries(window.leftUnits)) {
      kept = fitSum(kept, left, ({ orderRoute: { route }, units }) =>
        route.from.asset.id === asset ? units : 0n,
      )
    }
  }
  return kept
}

/**
 * Leaves out the smallest orders of a need that pass its ceiling in fiat together. A single order
 * keeps to it.
 */
function fitCeilings(
  orders: readonly PlacedOrder[],
  { bindSums = false }: PlanLimits,
): readonly PlacedOrder[] {
  const needs = bindSums ? orders.flatMap(({ orderRoute: { route } }) => needsOf(route)) : []
  return [...new Set(needs)].reduce<readonly PlacedOrder[]>((kept, need) => {
    const own = kept
      .filter(({ orderRoute: { route } }) => needsOf(route).includes(need))
      .toSorted((a, b) => Number(judgedCost(b) - judgedCost(a)))
    let left = own
      .map(({ orderRoute: { costs } }) => fiatCeilingOf(costs))
      .reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)
    if (left === null) return kept
    left *= VALUE_PER_FIAT
    const out = new Set<PlacedOrder>()
    for (const [index, order] of own.entries()) {
      const cost = judgedCost(order)
      if (index > 0 && cost > left) out.add(order)
      else left -= cost
    }
    return kept.filter((order) => !out.has(order))
  }, orders)
}

function needsOf({ loss, gain }: Route): readonly Need[] {
  return [loss, gain].filter((need) => need !== null)
}

function judgedCost({ orderRoute: { route, costs }, units }: PlacedOrder): bigint {
  const { quote } = route
  const value = soldValue(route, units)
  const locked = (value * (quote.risk?.lockPpb ?? 0n) + PPB - 1n) / PPB
  return (
    lostValue(route, value, costs.rounding) + fixedTotalOf({ ...quote, fixedFeeFiat: 0n }) + locked
  )
}

function fitSum(
  orders: readonly PlacedOrder[],
  most: bigint,
  sizeOf: (order: PlacedOrder) => bigint,
): PlacedOrder[] {
  const total = (list: readonly PlacedOrder[]): bigint =>
    list.reduce((sum, order) => sum + sizeOf(order), 0n)
  const excess = total(orders) - most
  const [first, ...others] = orders
  if (excess <= 0n || first === undefined) return [...orders]
  const size = sizeOf(first)
  // Costs that came on top make a plan a little too large; more than that ends an order, because a
  // small one pays its fixed cost too.
  const isLittle = excess * 20n <= size || (others.length === 0 && excess < size)
  const units = isLittle ? first.units - (first.units * excess + size - 1n) / size : 0n
  if (!isLittle || units < first.orderRoute.bounds.lo.units)
    return fitSum(orders.slice(0, -1), most, sizeOf)
  return fitSum([sizeOrder(first.orderRoute, units), ...others], most, sizeOf)
}

function feesOf({ orderRoute: { route, costs }, units, costValue }: PlacedOrder): bigint {
  const beside = windowFeesOf(route.quote) * VALUE_PER_FIAT
  return costValue + beside + roundingOf(route, soldValue(route, units), costs.rounding)
}

function soldValue({ from }: Route, units: bigint): bigint {
  return valueOfUnits(from.asset, from.priceFiat, units)
}

/** Cuts the largest load first, and no load below the least that its orders may carry. */
function cutLoads(
  loads: readonly SizedLoad[],
  cap: bigint,
  mayCut: (route: Route) => boolean,
): SizedLoad[] {
  let excess = totalOf(loads) - cap
  const sorted = [...loads].sort((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1))
  return sorted.map((load) => {
    const cut = excess > 0n && mayCut(load.orderRoute.route) ? smallest(excess, spareOf(load)) : 0n
    excess -= cut
    return { ...load, units: load.units - cut }
  })
}

/** The units by which a load may shrink. */
function spareOf({ orderRoute: { bounds }, count, units }: SizedLoad): bigint {
  return units - bounds.lo.units * count
}

function totalOf(loads: readonly SizedLoad[]): bigint {
  return loads.reduce((sum, { units }) => sum + units, 0n)
}

function splitLoad({ orderRoute, count, units }: SizedLoad): PlacedOrder[] {
  return Array.from({ length: Number(count) }, (_, index) =>
    sizeOrder(orderRoute, units / count + (BigInt(index) < units % count ? 1n : 0n)),
  )
}

function sizeOrder(orderRoute: OrderRoute, mostUnits: bigint): PlacedOrder {
  const { route, bounds, costs } = orderRoute
  const units = fitDown(costs, mostUnits, bounds.lo.units)
  const value = soldValue(route, units)
  return {
    orderRoute,
    units,
    receiveUnits: payoutUnits(route, value),
    costValue: costOfOrder(route.quote, value),
  }
}

function byRoute(a: PlacedOrder, b: PlacedOrder): number {
  const first = a.orderRoute.route.key
  const second = b.orderRoute.route.key
  return first === second ? 0 : first < second ? -1 : 1
}

export function sumUnits(
  orders: readonly PlacedOrder[],
  side: "sold" | "received",
  asset: AssetId,
): bigint {
  return orders.reduce((sum, { orderRoute: { route }, units, receiveUnits }) => {
    if (side === "sold") return route.from.asset.id === asset ? sum + units : sum
    return route.to.asset.id === asset && route.destination === null ? sum + receiveUnits : sum
  }, 0n)
}
