import { chainOf } from "#domain/asset.ts"
import type { FlowNode, Side } from "./flow/flow-problem.ts"
import { holdingTiers, type Tier } from "./holding-tiers.ts"
import type { PlanLimits } from "./limits.ts"
import type { OrderRoute } from "./order-route.ts"
import { usableWindow } from "./order-route.ts"
import { netOf, type Route, sinkKey, smallest, valueIn } from "./route.ts"
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
  const ends = orderRoutes.map(({ route }): [number, number] => {
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
    const taken = lossLists?.mostUnits ?? null
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
 * The node of an asset. An order that may grow earns on several nodes: for the need on its own, and
 * for all of it on a node above for each tier.
 */
function placeNode(
  side: ReturnType<typeof createSide>,
  key: string,
  build: () => AssetNode,
): number {
  return side.place(key, () => {
    const { node, tiers } = build()
    const { most } = node
    const all = [node, ...tiers]
    const lines = all.map(({ want, reward }, index) => ({
      want,
      most,
      reward: reward - (all[index + 1]?.reward ?? 0n),
    }))
    const parent = lines
      .slice(1)
      .reduceRight<number | undefined>(
        (above, line) =>
          side.place(`${key} up to ${line.want}`, () => ({ ...line, ...parentOf(above) })),
        node.parent,
      )
    return { ...node, reward: lines[0]?.reward ?? node.reward, ...parentOf(parent) }
  })
}

function parentOf(parent: number | undefined): Pick<FlowNode, "parent"> {
  return parent === undefined ? {} : { parent }
}

function below(parent: number, most: bigint): FlowNode {
  return { want: 0n, most, reward: 0n, parent }
}

type AssetNode = { readonly node: FlowNode; readonly tiers: readonly Tier[] }

function sourceNode(
  orderRoutes: readonly OrderRoute[],
  limits: PlanLimits,
  hasRoot: boolean,
): AssetNode {
  const [first] = orderRoutes
  const under = hasRoot ? { parent: 0 } : {}
  if (!first) return { node: { want: 0n, most: 0n, reward: 0n, ...under }, tiers: [] }
  const { from } = first.route
  const cap = valueIn(from, first.assetCap.units)
  // Orders pay their costs out of the same balance, so less than the whole balance can arrive.
  const nets = orderRoutes.map(({ route }) =>
    route.gain === null ? cap : atLeastOne(netOf(route.quote, cap, 1n)),
  )
  const most = smallest(
    cap,
    nets.reduce((a, b) => (a > b ? a : b)),
  )
  const loss = orderRoutes.map(({ route }) => route.loss).find((need) => need !== null) ?? null
  const { tiers, ...worth } =
    loss === null ? partnerWorth(first, "source") : worthOf(loss, most, orderRoutes, limits)
  const gas = limits.gas?.find(
    ({ chain, coin }) => coin === from.asset.id && chain === chainOf(from.asset.id),
  )
  const node = {
    ...worth,
    most,
    ...under,
    ...(gas ? { perOrder: valueIn(from, gas.perOrderUnits) } : {}),
  }
  return { node, tiers }
}

function sinkNode(orderRoutes: readonly OrderRoute[], limits: PlanLimits): AssetNode {
  const [first] = orderRoutes
  if (!first) return { node: { want: 0n, most: 0n, reward: 0n }, tiers: [] }
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
  const { tiers, ...worth } =
    gain === null ? partnerWorth(first, "sink") : worthOf(gain, most, orderRoutes, limits)
  return { node: { ...worth, most }, tiers }
}

/** What a partner without a need of its own saves; its `partnerCost` is on each of its routes. */
function partnerWorth({ route }: OrderRoute, side: Side): Worth {
  const cost = partnerCost(route, side)
  const [first, ...tiers] = partnerTiers(route, side)
    .map(({ want, reward }) => ({ want, reward: reward + cost }))
    .filter(({ reward }) => reward > 0n)
  return first === undefined ? { want: 0n, reward: 0n, tiers: [] } : { ...first, tiers }
}

/** What the dearest unit costs that a partner gives or takes. */
export function partnerCost(route: Route, side: Side): bigint {
  const last = partnerTiers(route, side).at(-1)?.reward ?? 0n
  return last < 0n ? -last : 0n
}

function partnerTiers(route: Route, side: Side): Tier[] {
  if (side === "source") return route.loss === null ? holdingTiers(route.from, "out") : []
  const isOwn = route.gain === null && route.destination === null
  return isOwn ? holdingTiers(route.to, "in") : []
}

function atLeastOne(value: bigint): bigint {
  return value > 1n ? value : 1n
}
