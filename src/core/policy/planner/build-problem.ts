import { type AssetId, chainOf } from "#domain/asset.ts"
import { PPB } from "#domain/order-cost.ts"
import type { Reason } from "#domain/reason.ts"
import type { Need } from "../need.ts"
import type { BalanceView } from "../treasury-view.ts"
import type { BlockedNeed } from "./find-routes.ts"
import type { FlowEdge, FlowProblem, OrderGroup } from "./flow/flow-problem.ts"
import { isCounted } from "./is-counted.ts"
import type { PlanLimits } from "./limits.ts"
import { buildNodes, partnerCost } from "./nodes.ts"
import { fiatCeilingOf } from "./order-costs.ts"
import { type OrderRoute, openOrderRoute } from "./order-route.ts"
import {
  fixedTotalOf,
  type Headroom,
  netOf,
  type Route,
  rateOf,
  SLOPE,
  slopeOf,
  smallest,
  valueIn,
} from "./route.ts"

/**
 * The flow problem of a tick. The index of an edge is also the index of its route in `orderRoutes`.
 */
type BuiltProblem = {
  readonly problem: FlowProblem
  readonly orderRoutes: readonly OrderRoute[]
  readonly blocked: readonly BlockedNeed[]
}

/**
 * At equal cost the earlier route wins, and the plan with fewer orders: each order costs at least
 * 10^-12 of the currency.
 */
const RANK_COST = 10n ** 12n * SLOPE

/**
 * Flow is value. On a route to an asset with a gain, the flow is the value that arrives, so that a
 * refill reaches its goal and the costs come on top. On other routes the flow is the value sold.
 * The reward of a need is its cost ceiling: a part with higher costs stays undone (`worth.ts`).
 *
 * When only one side lists the pair, the flow never exceeds the need of that side. A surplus never
 * goes to an asset that its own rule did not list. The limits of admission bound the nodes
 * (windows, balances, fees) and the orders of groups of edges (`nodes.ts`).
 */
export function buildProblem(
  routes: readonly Route[],
  limits: PlanLimits,
  headroom: ReadonlyMap<AssetId, Headroom>,
  balances: ReadonlyMap<AssetId, BalanceView>,
): BuiltProblem {
  const blocked: BlockedNeed[] = []
  const orderRoutes = routes.flatMap((route): OrderRoute[] => {
    const opened = openForSomeNeed(route, (one) =>
      openOrderRoute(one, { routes, limits, headroom, balances }),
    )
    blocked.push(...opened.blocked)
    return opened.orderRoute === null ? [] : [opened.orderRoute]
  })
  const nodes = buildNodes(orderRoutes, limits)
  const edges = orderRoutes.map((orderRoute, index): FlowEdge => {
    const [source = 0, sink = 0] = nodes.ends[index] ?? []
    return { source, sink, ...priceRoute(orderRoute, limits) }
  })
  const groups = groupOrders(orderRoutes, limits)
  return {
    problem: {
      sources: nodes.sources,
      sinks: nodes.sinks,
      edges,
      maxOrders: limits.maxOrders,
      groups,
    },
    orderRoutes,
    blocked,
  }
}

/** The needs that list the pair. They get the reason when the pair is of no use. */
export function listingNeeds({ loss, gain, lossLists, gainLists }: Route): Need[] {
  return [lossLists ? loss : null, gainLists ? gain : null].filter((need) => need !== null)
}

/**
 * A route that no order for both needs can use may still serve one need that lists it. The other
 * need gets the reason.
 */
function openForSomeNeed(
  route: Route,
  open: (route: Route) => OrderRoute | { reason: Reason },
): { readonly orderRoute: OrderRoute | null; readonly blocked: readonly BlockedNeed[] } {
  const both = open(route)
  if (!("reason" in both)) return { orderRoute: both, blocked: [] }
  const alone = route.loss === null || route.gain === null ? [] : alonesOf(route).map(open)
  const orderRoute = alone.find((one): one is OrderRoute => !("reason" in one)) ?? null
  const served = orderRoute === null ? [] : listingNeeds(orderRoute.route)
  const unserved = listingNeeds(route).filter((need) => !served.includes(need))
  return { orderRoute, blocked: unserved.map((need) => ({ need, reason: both.reason })) }
}

/** The route for each of the needs that list it, without the other one. */
function alonesOf(route: Route): Route[] {
  return [
    ...(route.gainLists ? [{ ...route, loss: null, lossLists: null }] : []),
    ...(route.lossLists ? [{ ...route, gain: null, gainLists: null }] : []),
  ]
}

function priceRoute(
  { route, bounds, costs, sourceCap }: OrderRoute,
  limits: PlanLimits,
): Pick<FlowEdge, "lo" | "hi" | "most" | "fixed" | "slope"> {
  const { quote, from } = route
  const hiUnits = bounds.hi === null ? sourceCap.units : smallest(sourceCap.units, bounds.hi.units)
  const fixed = fixedTotalOf(quote) * SLOPE
  const rank = BigInt(1 + route.rank) * RANK_COST
  const holding = partnerCost(route, "source") + partnerCost(route, "sink")
  const maySplit = limits.split && !(limits.bindSums && fiatCeilingOf(costs) !== null)
  if (route.gain === null) {
    const hi = valueIn(from, hiUnits)
    const most = maySplit ? valueIn(from, sourceCap.units) : hi
    return {
      lo: valueIn(from, bounds.lo.units),
      hi,
      most,
      fixed: fixed + rank,
      slope: slopeOf(route) + holding,
    }
  }
  const kept = PPB - rateOf(quote)
  const net = (units: bigint): bigint => atLeastOne(netOf(quote, valueIn(from, units), 1n))
  const hi = net(hiUnits)
  return {
    lo: smallest(net(bounds.lo.units), hi),
    hi,
    most: maySplit ? net(sourceCap.units) : hi,
    fixed: (fixed * PPB) / kept + rank,
    slope: slopeOf(route) + holding,
  }
}

/** The limits of orders in flight, and the orders whose fees each chain's coin can pay. */
function groupOrders(
  orderRoutes: readonly OrderRoute[],
  { counts = [], gas = [] }: PlanLimits,
): OrderGroup[] {
  const edgesOf = (counts: (orderRoute: OrderRoute) => boolean): number[] =>
    orderRoutes.flatMap((orderRoute, index) => (counts(orderRoute) ? [index] : []))
  const groups = [
    ...counts.map((count) => ({
      edges: edgesOf(({ route }) => isCounted(count, route)),
      most: count.left,
    })),
    ...gas.map(({ chain, coin, perOrderUnits, leftUnits }) => ({
      edges: edgesOf(
        ({ route: { from } }) => chainOf(from.asset.id) === chain && from.asset.id !== coin,
      ),
      most:
        leftUnits === null || perOrderUnits <= 0n
          ? Number.MAX_SAFE_INTEGER
          : Number(atLeast(leftUnits) / perOrderUnits),
    })),
  ]
  return groups.filter(({ edges }) => edges.length > 0)
}

function atLeast(units: bigint): bigint {
  return units > 0n ? units : 0n
}

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}
