import { chainOf } from "#domain/asset.ts"
import type { FlowNode } from "./flow/flow-problem.ts"
import type { Growth } from "./grow-order.ts"
import type { PlanLimits } from "./limits.ts"
import type { OrderRoute } from "./order-route.ts"
import { usableWindow } from "./order-route.ts"
import { netOf, sinkKey, smallest, valueIn } from "./route.ts"
import { type Worth, worthOf } from "./worth.ts"

type Nodes = {
  readonly sources: readonly FlowNode[]
  readonly sinks: readonly FlowNode[]
  /** The source and the sink of each route, by its index. */
  readonly ends: readonly (readonly [number, number])[]
}

/**
 * One node for each sold asset and for each destination. A bound that one rule sets on its partner
 * gets a node of its own below that of the asset, so that it binds only the routes of that rule. A
 * window over all sales is a node above all sources.
 */
export function buildNodes(orderRoutes: readonly OrderRoute[], limits: PlanLimits): Nodes {
  const window = usableWindow(limits)
  const root = window === null ? [] : [{ want: 0n, most: window, reward: 0n }]
  const sources = createSide(root)
  const sinks = createSide([])
  const ends = orderRoutes.map(({ route, sinkCapUnits }): [number, number] => {
    const { from, to, destination, gainLists, lossLists, gain, loss } = route
    const same = orderRoutes.filter((other) => other.route.from.asset.id === from.asset.id)
    const source = placeNode(sources, from.asset.id, () =>
      sourceNode(same, limits, root.length > 0),
    )
    const key = sinkKey(to.asset.id, destination)
    const paid = orderRoutes.filter(
      (other) => sinkKey(other.route.to.asset.id, other.route.destination) === key,
    )
    const sink = placeNode(sinks, key, () => sinkNode(paid, limits))
    const given = gainLists?.mostUnits ?? null
    const taken = sinkCapUnits === null ? null : (lossLists?.mostUnits ?? null)
    return [
      given === null
        ? source
        : sources.place(`${from.asset.id} ${gain?.rule}`, () =>
            below(source, valueIn(from, given)),
          ),
      taken === null
        ? sink
        : sinks.place(`${key} ${loss?.rule}`, () => below(sink, valueIn(to, taken))),
    ]
  })
  return { sources: sources.nodes, sinks: sinks.nodes, ends }
}

function createSide(start: readonly FlowNode[]) {
  const nodes = [...start]
  const known = new Map<string, number>()
  return {
    nodes,
    place: (key: string, node: () => FlowNode): number => {
      const at = known.get(key) ?? nodes.push(node()) - 1
      known.set(key, at)
      return at
    },
  }
}

/**
 * The node of an asset. An order that may grow earns on two nodes: for the need on its own, and for
 * all of it on a node above.
 */
function placeNode(
  side: ReturnType<typeof createSide>,
  key: string,
  build: () => AssetNode,
): number {
  return side.place(key, () => {
    const { node, growth } = build()
    if (growth === null) return node
    const { want, reward } = growth
    const { parent, most } = node
    const above = side.place(`${key} growth`, () => ({
      want,
      reward,
      most,
      ...(parent === undefined ? {} : { parent }),
    }))
    return { ...node, reward: node.reward - reward, parent: above }
  })
}

function below(parent: number, most: bigint): FlowNode {
  return { want: 0n, most, reward: 0n, parent }
}

type AssetNode = { readonly node: FlowNode; readonly growth: Growth | null }

function sourceNode(
  orderRoutes: readonly OrderRoute[],
  limits: PlanLimits,
  hasRoot: boolean,
): AssetNode {
  const [first] = orderRoutes
  const under = hasRoot ? { parent: 0 } : {}
  if (!first) return { node: { want: 0n, most: 0n, reward: 0n, ...under }, growth: null }
  const { from } = first.route
  const cap = valueIn(from, first.assetCap.units)
  // Orders pay their costs out of the same balance, so less than the whole balance can arrive.
  const nets = orderRoutes.map(({ route }) =>
    route.gain === null ? cap : atLeastOne(netOf(route.quote, cap, 1n)),
  )
  const most = smallest(
    cap,
    nets.reduce((a, b) => (a > b ? a : b), 0n),
  )
  const loss = orderRoutes.map(({ route }) => route.loss).find((need) => need !== null) ?? null
  const { growth, ...worth } = loss === null ? NO_WORTH : worthOf(loss, most, orderRoutes, limits)
  const gas = limits.gas?.find(
    ({ chain, coin }) => coin === from.asset.id && chain === chainOf(from.asset.id),
  )
  const node = {
    ...worth,
    most,
    ...under,
    ...(gas ? { perOrder: valueIn(from, gas.perOrderUnits) } : {}),
  }
  return { node, growth }
}

function sinkNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits): AssetNode {
  const [first] = orderRoutes
  if (!first) return { node: { want: 0n, most: 0n, reward: 0n }, growth: null }
  const { to } = first.route
  const everything = orderRoutes.reduce(
    (sum, { route, sourceCap }) => sum + valueIn(route.from, sourceCap.units),
    0n,
  )
  const most =
    first.sinkAssetCapUnits === null
      ? everything
      : smallest(everything, valueIn(to, first.sinkAssetCapUnits))
  const gain = orderRoutes.map(({ route }) => route.gain).find((need) => need !== null) ?? null
  const { growth, ...worth } = gain === null ? NO_WORTH : worthOf(gain, most, orderRoutes, limits)
  return { node: { ...worth, most }, growth }
}

const NO_WORTH: Worth = { want: 0n, reward: 0n, growth: null }

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}
