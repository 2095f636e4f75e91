import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import { type BalanceView, liquidUnits, showUnits } from "../treasury-view.ts"
import { valueOfUnits } from "../value.ts"
import type { FlowEdge, FlowNode, FlowProblem } from "./flow-problem.ts"
import type { PlanLimits } from "./limits.ts"
import { boundOrder, CAUSES, type OrderBounds } from "./order-bounds.ts"
import { fixedCostOf, type Headroom, netOf, type Place, type Route, sinkKey, smallest } from "./route.ts"

/** The flow problem of a tick. The index of an edge is also the index of its route in `orderRoutes`. */
export type BuiltProblem = {
  readonly problem: FlowProblem
  readonly orderRoutes: readonly OrderRoute[]
  readonly blocked: readonly { readonly need: Need; readonly reason: Reason }[]
}

/** A route that can carry an order. */
export type OrderRoute = {
  readonly route: Route
  readonly bounds: OrderBounds
  /** The most that all orders together may take from the source, and the cause of that cap. */
  readonly sourceCap: Cap
  /** The most that all orders together may pay to the sink; `null` for no bound. */
  readonly sinkCapUnits: bigint | null
}

/** `liquid`: the liquid balance. `want`: the need of the asset's own rule. `headroom`: the bounds of another rule. */
export type Cap = { readonly units: bigint; readonly cause: "liquid" | "want" | "headroom" }

/** The unit of costs, rewards and slopes: 10^-12. */
const SLOPE = 10n ** 12n
/** At equal cost the plan with more flow wins: each unit of flow earns a billionth of its value. */
const BONUS = SLOPE / 10n ** 9n
/** At equal cost the earlier route wins, and the plan with fewer orders: each order costs at least 10^-12 of the currency. */
const RANK_COST = 10n ** 12n * SLOPE

/**
 * Flow is value. On a route to an asset with a gain, the flow is the value that arrives, so that a refill reaches its goal and the costs come on
 * top. On other routes the flow is the value sold. The reward of a need is its cost ceiling: a part with higher costs stays undone.
 * A need without a ceiling in basis points is worth its whole value.
 *
 * When only one side lists the pair, the flow never exceeds the need of that side. A surplus never goes to an asset that its own rule did not
 * list.
 */
export function buildProblem(
  routes: readonly Route[],
  limits: PlanLimits,
  headroom: ReadonlyMap<AssetId, Headroom>,
  balances: ReadonlyMap<AssetId, BalanceView>,
): BuiltProblem {
  const blocked: { need: Need; reason: Reason }[] = []
  const orderRoutes = routes.flatMap((route): OrderRoute[] => {
    const orderRoute = openOrderRoute(route, { routes, limits, headroom, balances })
    if ("reason" in orderRoute) {
      for (const need of listingNeeds(route)) blocked.push({ need, reason: orderRoute.reason })
      return []
    }
    return [orderRoute]
  })
  const sourceIds = [...new Set(orderRoutes.map(({ route }) => route.from.asset.id))]
  const sinkIds = [...new Set(orderRoutes.map(({ route }) => sinkKey(route.to.asset.id, route.destination)))]
  const edges = orderRoutes.map((orderRoute): FlowEdge => {
    const { route } = orderRoute
    const source = sourceIds.indexOf(route.from.asset.id)
    return {
      source,
      sink: sinkIds.indexOf(sinkKey(route.to.asset.id, route.destination)),
      ...priceRoute(orderRoute, limits),
    }
  })
  const sources = sourceIds.map((id) =>
    sourceNode(
      orderRoutes.filter(({ route }) => route.from.asset.id === id),
      limits,
    ),
  )
  const sinks = sinkIds.map((id) =>
    sinkNode(
      orderRoutes.filter(({ route }) => sinkKey(route.to.asset.id, route.destination) === id),
      limits,
    ),
  )
  return { problem: { sources, sinks, edges, maxOrders: limits.maxOrders }, orderRoutes, blocked }
}

/** The needs that list the pair. They get the reason when the pair is of no use. */
export function listingNeeds({ loss, gain, lossLists, gainLists }: Route): Need[] {
  return [lossLists ? loss : null, gainLists ? gain : null].filter((need) => need !== null)
}

type Surroundings = {
  readonly routes: readonly Route[]
  readonly limits: PlanLimits
  readonly headroom: ReadonlyMap<AssetId, Headroom>
  readonly balances: ReadonlyMap<AssetId, BalanceView>
}

function openOrderRoute(
  route: Route,
  { routes, limits, headroom, balances }: Surroundings,
): OrderRoute | { reason: Reason } {
  const needs = [route.loss, route.gain].filter((need) => need !== null)
  const bound = boundOrder({ ...route, needs }, limits)
  if (!bound.ok) return bound
  const { bounds } = bound
  const balance = balances.get(route.from.asset.id)
  const sourceCap = capSource(route, routes, { headroom: headroom.get(route.from.asset.id), balance })
  const sinkCapUnits = capSink(route, routes, headroom.get(route.to.asset.id))
  if (sourceCap.units < bounds.lo.units) return { reason: shortSource(route, sourceCap, bounds) }
  if (sinkCapUnits !== null) {
    const value = valueOfUnits(route.to.asset, route.to.priceFiat, sinkCapUnits)
    const least = valueOfUnits(route.from.asset, route.from.priceFiat, bounds.lo.units)
    // The payout of the smallest order must fit.
    if (netOf(route.quote, least, 1n) > value) return { reason: fullSink(route, sinkCapUnits) }
  }
  return { route, bounds, sourceCap, sinkCapUnits }
}

function capSource(
  route: Route,
  routes: readonly Route[],
  { headroom, balance }: { headroom: Headroom | undefined; balance: BalanceView | undefined },
): Cap {
  const liquid: Cap = { units: balance ? liquidUnits(balance) : 0n, cause: "liquid" }
  const same = routes.filter((other) => other.from.asset.id === route.from.asset.id)
  const { loss } = route
  const named = same.map((other) => other.gainLists?.mostUnits ?? null)
  // When the gain's rule does not list this source, orders carry only the loss that this asset's own rule needs.
  const strict = loss !== null && same.some((other) => other.gain !== null && other.gainLists === null)
  const own = loss === null ? null : strict ? loss.wantUnits : loss.mostUnits
  const start: Cap = own !== null && own <= liquid.units ? { units: own, cause: "want" } : liquid
  const caps = [headroom?.giveUnits ?? null, ...named].filter((units) => units !== null)
  return caps.reduce((cap: Cap, units): Cap => (units < cap.units ? { units, cause: "headroom" } : cap), start)
}

function capSink(route: Route, routes: readonly Route[], headroom: Headroom | undefined): bigint | null {
  if (route.destination !== null) return null
  const same = routes.filter((other) => other.to.asset.id === route.to.asset.id && other.destination === null)
  const { gain } = route
  const named = same.map((other) => other.lossLists?.mostUnits ?? null)
  const strict = gain !== null && same.some((other) => other.loss !== null && other.lossLists === null)
  const own = gain === null ? null : strict ? gain.wantUnits : gain.mostUnits
  const caps = [own, headroom?.takeUnits ?? null, ...named].filter((units) => units !== null)
  const [first, ...others] = caps
  return first === undefined ? null : smallest(first, ...others)
}

function priceRoute(
  { route, bounds, sourceCap }: OrderRoute,
  limits: PlanLimits,
): Pick<FlowEdge, "lo" | "hi" | "most" | "fixed" | "slope"> {
  const { quote, from } = route
  const valueIn = (units: bigint): bigint => valueOfUnits(from.asset, from.priceFiat, units)
  const hiUnits = bounds.hi === null ? sourceCap.units : smallest(sourceCap.units, bounds.hi.units)
  const fixed = fixedCostOf(quote) * SLOPE
  const rank = BigInt(1 + route.rank) * RANK_COST
  if (route.gain === null) {
    const hi = valueIn(hiUnits)
    const most = limits.split ? valueIn(sourceCap.units) : hi
    return { lo: valueIn(bounds.lo.units), hi, most, fixed: fixed + rank, slope: (quote.bps * SLOPE) / 10_000n }
  }
  const kept = 10_000n - quote.bps
  const net = (units: bigint): bigint => atLeastOne(netOf(quote, valueIn(units), 1n))
  const hi = net(hiUnits)
  return {
    lo: smallest(net(bounds.lo.units), hi),
    hi,
    most: limits.split ? net(sourceCap.units) : hi,
    fixed: (fixed * 10_000n) / kept + rank,
    slope: (quote.bps * SLOPE + kept - 1n) / kept,
  }
}

function sourceNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits): FlowNode {
  const [first] = orderRoutes
  if (!first) return { want: 0n, most: 0n, reward: 0n }
  const { from, loss } = first.route
  const cap = valueIn(from, first.sourceCap.units)
  // Orders pay their costs out of the same balance, so less than the whole balance can arrive.
  const nets = orderRoutes.map(({ route }) => (route.gain === null ? cap : atLeastOne(netOf(route.quote, cap, 1n))))
  const most = smallest(
    cap,
    nets.reduce((a, b) => (a > b ? a : b), 0n),
  )
  const want = loss === null ? 0n : smallest(most, valueIn(from, loss.wantUnits))
  return { want, most, reward: loss === null ? 0n : worthOf(loss, limits) }
}

function sinkNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits): FlowNode {
  const [first] = orderRoutes
  if (!first) return { want: 0n, most: 0n, reward: 0n }
  const { to, gain } = first.route
  const everything = orderRoutes.reduce((sum, { route, sourceCap }) => sum + valueIn(route.from, sourceCap.units), 0n)
  const most = first.sinkCapUnits === null ? everything : smallest(everything, valueIn(to, first.sinkCapUnits))
  const want = gain === null ? 0n : smallest(most, valueIn(to, gain.wantUnits))
  return { want, most, reward: gain === null ? 0n : worthOf(gain, limits) }
}

function valueIn({ asset, priceFiat }: Place, units: bigint): bigint {
  return valueOfUnits(asset, priceFiat, units)
}

/** The most that a unit of the need may cost. A ceiling is a share of the sold value; for a gain it is restated as a share of the payout. */
function worthOf(need: Need, limits: PlanLimits): bigint {
  const shares = [limits.maxCost, need.maxCost].map(shareOf).filter((bps) => bps !== null)
  const bps = shares.reduce((a, b) => (a < b ? a : b), 10_000n)
  const base = need.kind === "lose" || bps >= 10_000n ? 10_000n : 10_000n - bps
  return (bps * SLOPE) / base + BONUS
}

function shareOf(limit: CostLimit | null): bigint | null {
  return limit?.kind === "share" ? limit.bps : null
}

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}

function shortSource({ from, to }: Route, cap: Cap, { lo }: OrderBounds): Reason {
  const [have, need] = [showUnits(from.asset, cap.units), showUnits(from.asset, lo.units)]
  const numbers = { asset: from.asset.id, to: to.asset.id, have, need, needCause: lo.cause }
  if (cap.cause === "liquid") {
    const message = `${from.asset.id} has ${have} liquid, and an order to ${to.asset.id} takes at least ${need}`
    return { code: "policy.illiquid", message, ...numbers }
  }
  if (cap.cause === "want") {
    const code = lo.cause === "cost" ? "policy.too_dear" : "policy.below_minimum"
    const message = `${from.asset.id} has ${have} to give away, and an order to ${to.asset.id} takes at least ${need} (${CAUSES[lo.cause]})`
    return { code, message, ...numbers }
  }
  const message = `${from.asset.id} may give ${have} without leaving its own bounds, and an order to ${to.asset.id} takes at least ${need}`
  return { code: "policy.no_room", message, ...numbers }
}

function fullSink({ from, to }: Route, capUnits: bigint): Reason {
  const have = showUnits(to.asset, capUnits)
  const message = `${to.asset.id} may take ${have} without leaving its own bounds, less than one order from ${from.asset.id} pays`
  return { code: "policy.no_room", message, asset: to.asset.id, from: from.asset.id, have }
}
