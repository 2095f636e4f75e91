import { chainOf } from "#domain/asset.ts"
import type { FlowNode } from "./flow-problem.ts"
import type { PlanLimits } from "./limits.ts"
import type { OrderRoute } from "./order-route.ts"
import { usableWindow } from "./order-route.ts"
import { netOf, sinkKey, smallest, valueIn } from "./route.ts"
import { worthOf } from "./worth.ts"

export type Nodes = {
  readonly sources: readonly FlowNode[]
  readonly sinks: readonly FlowNode[]
  /** The source and the sink of each route, by its index. */
  readonly ends: readonly (readonly [number, number])[]
}

/**
 * One node for each sold asset and for each destination. A bound that one rule sets on its partner gets a node of its own below that of the asset, so
 * that it binds only the routes of that rule. A window over all sales is a node above all sources.
 */
export function buildNodes(orderRoutes: readonly OrderRoute[], limits: PlanLimits): Nodes {
  const window = usableWindow(limits)
  const root = window === null ? [] : [{ want: 0n, most: window, reward: 0n }]
  const sources = createSide(root)
  const sinks = createSide([])
  const ends = orderRoutes.map(({ route, sinkCapUnits }): [number, number] => {
    const { from, to, destination, gainLists, lossLists, gain, loss } = route
    const same = orderRoutes.filter((other) => other.route.from.asset.id === from.asset.id)
    const source = sources.place(from.asset.id, () => sourceNode(same, limits, root.length > 0))
    const key = sinkKey(to.asset.id, destination)
    const paid = orderRoutes.filter((other) => sinkKey(other.route.to.asset.id, other.route.destination) === key)
    const sink = sinks.place(key, () => sinkNode(paid, limits))
    const given = gainLists?.mostUnits ?? null
    const taken = sinkCapUnits === null ? null : (lossLists?.mostUnits ?? null)
    return [
      given === null
        ? source
        : sources.place(`${from.asset.id} ${gain?.rule}`, () => below(source, valueIn(from, given))),
      taken === null ? sink : sinks.place(`${key} ${loss?.rule}`, () => below(sink, valueIn(to, taken))),
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

function below(parent: number, most: bigint): FlowNode {
  return { want: 0n, most, reward: 0n, parent }
}

function sourceNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits, hasRoot: boolean): FlowNode {
  const [first] = orderRoutes
  const under = hasRoot ? { parent: 0 } : {}
  if (!first) return { want: 0n, most: 0n, reward: 0n, ...under }
  const { from } = first.route
  const cap = valueIn(from, first.assetCap.units)
  // Orders pay their costs out of the same balance, so less than the whole balance can arrive.
  const nets = orderRoutes.map(({ route }) => (route.gain === null ? cap : atLeastOne(netOf(route.quote, cap, 1n))))
  const most = smallest(
    cap,
    nets.reduce((a, b) => (a > b ? a : b), 0n),
  )
  const loss = orderRoutes.map(({ route }) => route.loss).find((need) => need !== null) ?? null
  const worth = loss === null ? { want: 0n, reward: 0n } : worthOf(loss, most, orderRoutes, limits)
  const gas = limits.gas?.find(({ chain, coin }) => coin === from.asset.id && chain === chainOf(from.asset.id))
  return { ...worth, most, ...under, ...(gas ? { perOrder: valueIn(from, gas.perOrderUnits) } : {}) }
}

function sinkNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits): FlowNode {
  const [first] = orderRoutes
  if (!first) return { want: 0n, most: 0n, reward: 0n }
  const { to } = first.route
  const everything = orderRoutes.reduce((sum, { route, sourceCap }) => sum + valueIn(route.from, sourceCap.units), 0n)
  const most =
    first.sinkAssetCapUnits === null ? everything : smallest(everything, valueIn(to, first.sinkAssetCapUnits))
  const gain = orderRoutes.map(({ route }) => route.gain).find((need) => need !== null) ?? null
  return { ...(gain === null ? { want: 0n, reward: 0n } : worthOf(gain, most, orderRoutes, limits)), most }
}

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}
