/**
 * The planner's problem as plain numbers: how much flows from each source to each sink, and in how many orders.
 *
 * A fixed-charge transportation problem in whole numbers. Each order costs `fixed` and each unit of flow costs `slope`. The first `want` units
 * that leave a source or reach a sink earn `reward` each; further units up to `most` earn nothing. One order carries `lo` to `hi`. The solution
 * is the flow with the least `cost − rewards` and at most `maxOrders` orders. Zero flow is always allowed.
 */
export type FlowProblem = {
  readonly sources: readonly FlowNode[]
  readonly sinks: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly maxOrders: number
}

export type FlowNode = { readonly want: bigint; readonly most: bigint; readonly reward: bigint }

/** `source` and `sink` are indexes. 0 < lo ≤ hi. All orders of the edge together carry at most `most`. */
export type FlowEdge = {
  readonly source: number
  readonly sink: number
  readonly lo: bigint
  readonly hi: bigint
  readonly most: bigint
  readonly fixed: bigint
  readonly slope: bigint
}

/** The amount and the number of orders for each edge. */
export type Flow = { readonly flows: readonly bigint[]; readonly orders: readonly number[]; readonly objective: bigint }

/** Uses the fewest orders for each flow. `null` when no number of orders fits, when there are too many orders, or when a node is over its cap. */
export function evaluateFlow(problem: FlowProblem, flows: readonly bigint[]): Flow | null {
  const orders: number[] = []
  let cost = 0n
  for (const [index, edge] of problem.edges.entries()) {
    const flow = flows[index] ?? 0n
    const count = fewestOrders(edge, flow)
    if (flow < 0n || flow > edge.most || flow < BigInt(count) * edge.lo) return null
    orders.push(count)
    cost += BigInt(count) * edge.fixed + flow * edge.slope
  }
  if (orders.reduce((sum, count) => sum + count, 0) > problem.maxOrders) return null
  const rewards = [
    ...problem.sources.map((node, index) => rewardOf(node, sumAt(problem, flows, "source", index))),
    ...problem.sinks.map((node, index) => rewardOf(node, sumAt(problem, flows, "sink", index))),
  ]
  let objective = cost
  for (const reward of rewards) {
    if (reward === null) return null
    objective -= reward
  }
  return { flows, orders, objective }
}

export function fewestOrders({ hi }: FlowEdge, flow: bigint): number {
  return Number((flow + hi - 1n) / hi)
}

/** The total flow through a node. */
export function sumAt({ edges }: FlowProblem, flows: readonly bigint[], side: "source" | "sink", node: number): bigint {
  return edges.reduce((sum, edge, index) => (edge[side] === node ? sum + (flows[index] ?? 0n) : sum), 0n)
}

function rewardOf({ want, most, reward }: FlowNode, flow: bigint): bigint | null {
  return flow > most ? null : (flow < want ? flow : want) * reward
}
