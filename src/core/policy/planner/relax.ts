import {
  type ArcNetwork,
  addArc,
  createNetwork,
  type FlowArc,
  pushCheapest,
} from "./arc-network.ts"
import {
  type FlowEdge,
  type FlowNode,
  type FlowProblem,
  nodesAt,
  type Side,
  sumNodes,
  usefulFlow,
} from "./flow/flow-problem.ts"

/** The range of order counts that the search still allows for an edge. */
export type OrderRange = { readonly min: number; readonly max: number }

export type Relaxed = {
  readonly flows: readonly bigint[]
  /** No plan within the ranges is cheaper. */
  readonly bound: bigint
}

/**
 * The best flow when orders beyond the decided ones may be fractions. This is a min-cost flow: it
 * has a whole-number optimum and never costs more than the best plan within the ranges. `null` when
 * the decided orders cannot all carry their least.
 *
 * The slope of a fraction is `fixed` divided by the largest possible flow: the steepest line that
 * stays below the steps.
 */
export function relaxFlow(problem: FlowProblem, ranges: readonly OrderRange[]): Relaxed | null {
  const { sources, sinks, edges } = problem
  const sinkAt = 1 + sources.length
  const end = sinkAt + sinks.length
  const network = createNetwork(end + 1)
  for (const side of ["source", "sink"] as const) {
    const caps = capsOf(problem, side, ranges)
    nodesAt(problem, side).forEach(({ want, reward, parent }, index) => {
      const most = caps[index] ?? 0n
      const first = want < most ? want : most
      const [inner, root] = side === "source" ? [1, 0] : [sinkAt, end]
      const outer = parent === undefined ? root : inner + parent
      const [from, to] = side === "source" ? [outer, inner + index] : [inner + index, outer]
      addArc(network, from, to, first, -reward)
      addArc(network, from, to, most - first, 0n)
    })
  }
  const forcedReward = forcedRewardOf(problem)
  let decided = 0n
  let forced = 0n
  const parts = edges.map((edge, index) => {
    const range = ranges[index] ?? { min: 0, max: 0 }
    decided += BigInt(range.min) * edge.fixed
    forced += BigInt(range.min) * edge.lo
    return addEdge(network, edge, range, { problem, sinkAt, forcedReward })
  })
  const pushed = pushCheapest(network, 0, end)
  const flows = parts.map((arcs) => arcs.reduce((sum, arc) => sum + arc.back.capacity, 0n))
  const carried = parts.reduce((sum, [first]) => sum + (first?.back.capacity ?? 0n), 0n)
  return carried < forced ? null : { flows, bound: pushed + forced * forcedReward + decided }
}

/** The cap of each node, less what the decided orders after the first keep back. */
function capsOf(problem: FlowProblem, side: Side, ranges: readonly OrderRange[]): bigint[] {
  const decided = sumNodes(
    problem,
    side,
    ranges.map(({ min }) => BigInt(min)),
  )
  return nodesAt(problem, side).map(({ most, perOrder = 0n }: FlowNode, index) => {
    const count = decided[index] ?? 0n
    const left = most - (count > 1n ? (count - 1n) * perOrder : 0n)
    return left > 0n ? left : 0n
  })
}

/**
 * The arcs of one edge, cheapest first: the flow that decided orders must carry, the flow that they
 * may carry, and the flow of undecided orders.
 */
function addEdge(
  network: ArcNetwork,
  edge: FlowEdge,
  range: OrderRange,
  { problem, sinkAt, forcedReward }: { problem: FlowProblem; sinkAt: number; forcedReward: bigint },
): FlowArc[] {
  const from = 1 + edge.source
  const to = sinkAt + edge.sink
  const least = BigInt(range.min) * edge.lo
  const full = BigInt(range.min) * edge.hi
  // When the whole edge carries less than the least, the forced flow falls short and the search
  // drops the node.
  const open = full < edge.most ? full : edge.most
  const ends = [usefulFlow(problem, edge, least)]
  const cap = [...ends, edge.most, BigInt(range.max) * edge.hi].reduce((a, b) => (a < b ? a : b))
  const rest = cap > full ? cap - full : 0n
  const spread = rest === 0n ? 0n : edge.fixed / (rest < edge.hi ? rest : edge.hi)
  return [
    addArc(network, from, to, least < open ? least : open, edge.slope - forcedReward),
    addArc(network, from, to, least < open ? open - least : 0n, edge.slope),
    addArc(network, from, to, rest, edge.slope + spread),
  ]
}

/** A reward above the cost of any path, so that the forced flow comes first. */
function forcedRewardOf({ sources, sinks, edges }: FlowProblem): bigint {
  const rewards = [...sources, ...sinks].reduce((sum, { reward }) => sum + reward, 0n)
  return edges.reduce((sum, { fixed, slope }) => sum + fixed + slope, rewards) + 1n
}
