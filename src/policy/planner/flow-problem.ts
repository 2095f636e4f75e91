/**
 * The planner's problem without money or assets in it: from which source to which sink how much is to flow, in how many orders.
 *
 * A fixed-charge transportation problem in whole numbers. Each order costs `fixed`, each unit of flow `slope`; each of the first `want` units
 * that leave a source or reach a sink is worth `reward`, up to `most` may, beyond `want` for nothing. One order carries `lo` to `hi`.
 * Wanted: the flows that make `cost − rewards` least with at most `maxOrders` orders. Flowing nothing is always allowed.
 */
export type FlowProblem = {
  readonly sources: readonly FlowNode[]
  readonly sinks: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly maxOrders: number
}

export type FlowNode = { readonly want: bigint; readonly most: bigint; readonly reward: bigint }

/** `source` and `sink` are indexes. 0 < lo ≤ hi. All orders of the edge together carry no more than `most`. */
export type FlowEdge = {
  readonly source: number
  readonly sink: number
  readonly lo: bigint
  readonly hi: bigint
  readonly most: bigint
  readonly fixed: bigint
  readonly slope: bigint
}

/** By edge: how much flows, in how many orders. */
export type Flow = { readonly flows: readonly bigint[]; readonly orders: readonly number[]; readonly objective: bigint }

/** With the fewest orders that carry each flow; `null` when no number of orders does, or they are too many, or a node is overrun. */
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

/** What passes a node. */
export function sumAt({ edges }: FlowProblem, flows: readonly bigint[], side: "source" | "sink", node: number): bigint {
  return edges.reduce((sum, edge, index) => (edge[side] === node ? sum + (flows[index] ?? 0n) : sum), 0n)
}

function rewardOf({ want, most, reward }: FlowNode, flow: bigint): bigint | null {
  return flow > most ? null : (flow < want ? flow : want) * reward
}
