/**
 * The planner's problem as plain numbers: how much flows from each source to each sink, and in how
 * many orders.
 *
 * A fixed-charge transportation problem in whole numbers. Each order costs `fixed` and each unit of
 * flow costs `slope`. The first `want` units that leave a source or reach a sink earn `reward`
 * each; further units up to `most` earn nothing. One order carries `lo` to `hi`. The solution is
 * the flow with the least `cost − rewards`, at most `maxOrders` orders, and at most the orders that
 * each group allows. Zero flow is always allowed.
 */
export type FlowProblem = {
  readonly sources: readonly FlowNode[]
  readonly sinks: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly maxOrders: number
  /** Further limits of the number of orders, such as those of one chain. */
  readonly groups: readonly OrderGroup[]
}

export type FlowNode = {
  readonly want: bigint
  readonly most: bigint
  readonly reward: bigint
  /**
   * The index of a node on the same side whose `most` also counts this node's flow, such as a
   * window over all sources; absent for none.
   */
  readonly parent?: number
  /**
   * By how much each order after the first lowers `most`: the network fees that the order keeps
   * back.
   */
  readonly perOrder?: bigint
}

/**
 * `source` and `sink` are indexes. 0 < lo ≤ hi. All orders of the edge together carry at most
 * `most`.
 */
export type FlowEdge = {
  readonly source: number
  readonly sink: number
  readonly lo: bigint
  readonly hi: bigint
  readonly most: bigint
  readonly fixed: bigint
  readonly slope: bigint
}

/** At most `most` orders on these edges together. */
export type OrderGroup = { readonly edges: readonly number[]; readonly most: number }

/** The amount and the number of orders for each edge. */
export type Flow = {
  readonly flows: readonly bigint[]
  readonly orders: readonly number[]
  readonly objective: bigint
}

/** A solver's answer. `exact`: no flow is better. */
export type Solution = Flow & { readonly exact: boolean }

/**
 * Uses the fewest orders for each flow. `null` when no number of orders fits, when there are too
 * many orders, or when a node is over its cap.
 */
export function evaluateFlow(problem: FlowProblem, flows: readonly bigint[]): Flow | null {
  const orders: number[] = []
  let objective = 0n
  for (const [index, edge] of problem.edges.entries()) {
    const flow = flows[index] ?? 0n
    const count = fewestOrders(edge, flow)
    if (flow < 0n || flow > edge.most || flow < BigInt(count) * edge.lo) return null
    orders.push(count)
    objective += BigInt(count) * edge.fixed + flow * edge.slope
  }
  if (orders.reduce((sum, count) => sum + count, 0) > problem.maxOrders) return null
  if (
    problem.groups.some(
      ({ edges, most }) => edges.reduce((sum, edge) => sum + (orders[edge] ?? 0), 0) > most,
    )
  ) {
    return null
  }
  for (const side of ["source", "sink"] as const) {
    const sums = sumNodes(problem, side, flows)
    const counts = sumNodes(
      problem,
      side,
      orders.map((count) => BigInt(count)),
    )
    for (const [index, { want, most, reward, perOrder = 0n }] of nodesAt(problem, side).entries()) {
      const flow = sums[index] ?? 0n
      const count = counts[index] ?? 0n
      if (flow > most - (count > 1n ? (count - 1n) * perOrder : 0n)) return null
      objective -= (flow < want ? flow : want) * reward
    }
  }
  return { flows, orders, objective }
}

export function fewestOrders({ hi }: FlowEdge, flow: bigint): number {
  return Number((flow + hi - 1n) / hi)
}

/**
 * The most that an edge of an optimal plan carries beside `least`. More than both of its ends want
 * would cost something and earn nothing, except where the smallest order is larger.
 */
export function usefulFlow(
  { sources, sinks }: FlowProblem,
  { source, sink, lo, most }: FlowEdge,
  least = 0n,
): bigint {
  const wanted = [lo, least, wantOf(sources, source), wantOf(sinks, sink)].reduce((a, b) =>
    a > b ? a : b,
  )
  const caps = [sources[source]?.most ?? 0n, sinks[sink]?.most ?? 0n, most]
  return caps.reduce((a, b) => (a < b ? a : b), wanted)
}

function wantOf(nodes: readonly FlowNode[], index: number): bigint {
  return lineOf(nodes, index)
    .map((node) => nodes[node]?.want ?? 0n)
    .reduce((a, b) => (a > b ? a : b), 0n)
}

export type Side = "source" | "sink"

export function nodesAt({ sources, sinks }: FlowProblem, side: Side): readonly FlowNode[] {
  return side === "source" ? sources : sinks
}

/**
 * For each node of a side, the sum of the amounts on its edges and on those of the nodes below it.
 */
export function sumNodes(problem: FlowProblem, side: Side, amounts: readonly bigint[]): bigint[] {
  const nodes = nodesAt(problem, side)
  const sums = nodes.map(() => 0n)
  for (const [index, edge] of problem.edges.entries()) {
    const amount = amounts[index] ?? 0n
    if (amount === 0n) continue
    for (const node of lineOf(nodes, edge[side])) sums[node] = (sums[node] ?? 0n) + amount
  }
  return sums
}

/** A node and all nodes above it. */
export function lineOf(nodes: readonly FlowNode[], index: number): number[] {
  const line: number[] = []
  for (let node: number | undefined = index; node !== undefined; node = nodes[node]?.parent)
    line.push(node)
  return line
}

/** The total flow through a node. */
export function sumAt(
  problem: FlowProblem,
  flows: readonly bigint[],
  side: Side,
  node: number,
): bigint {
  return sumNodes(problem, side, flows)[node] ?? 0n
}
