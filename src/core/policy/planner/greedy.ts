import {
  evaluateFlow,
  type Flow,
  type FlowEdge,
  type FlowProblem,
  lineOf,
} from "./flow/flow-problem.ts"

/**
 * The pairing that most rebalancers use: repeatedly match the largest need, a deficit or a surplus,
 * with the counterpart that can take the most of that need. It ignores costs, but it leaves out an
 * order that costs more than its reward.
 */
export function pairLargestFirst(problem: FlowProblem): Flow {
  return pairGreedily(problem, (a, b) => compare(b.amount, a.amount))
}

/** Repeatedly matches the largest need with the counterpart with the lowest cost per unit. */
export function pairCheapestRoute(problem: FlowProblem): Flow {
  return pairGreedily(problem, (a, b) => compare(a.cost * b.amount, b.cost * a.amount))
}

type Candidate = { readonly index: number; readonly amount: bigint; readonly cost: bigint }
type Left = { want: bigint; most: bigint; readonly reward: bigint }

/** Every round fills a need, exhausts a counterpart or drops a need, so the loop ends. */
function pairGreedily(
  problem: FlowProblem,
  compareCandidates: (a: Candidate, b: Candidate) => number,
): Flow {
  const sources = problem.sources.map((node) => ({ ...node }))
  const sinks = problem.sinks.map((node) => ({ ...node }))
  const flows = problem.edges.map(() => 0n)
  const dropped = new Set<Left>()
  let last = evaluateFlow(problem, flows) ?? { flows, orders: [], objective: 0n }
  for (;;) {
    const need = largestNeed([...sinks, ...sources].filter((node) => !dropped.has(node)))
    if (need === null) return last
    const candidates = problem.edges.flatMap((edge, index): Candidate[] => {
      const ends = endsOf(edge)
      return ends.includes(need)
        ? candidateOn(edge, index, { ends, taken: flows[index] ?? 0n, need })
        : []
    })
    const next = candidates.sort(compareCandidates)[0]
    const changed =
      next && flows.map((flow, index) => (index === next.index ? flow + next.amount : flow))
    const found = changed ? evaluateFlow(problem, changed) : null
    const edge = next && problem.edges[next.index]
    if (!found || !edge || found.objective >= last.objective) {
      dropped.add(need)
      continue
    }
    for (const end of endsOf(edge)) take(end, next.amount)
    flows[next.index] = (flows[next.index] ?? 0n) + next.amount
    last = found
  }

  /** The nodes that an edge fills and empties, with those above them. */
  function endsOf({ source, sink }: FlowEdge): Left[] {
    const ends = [
      ...lineOf(problem.sources, source).map((node) => sources[node]),
      ...lineOf(problem.sinks, sink).map((node) => sinks[node]),
    ]
    return ends.filter((end) => end !== undefined)
  }
}

/** One more order on an edge, or a larger flow in the orders that the edge already has. */
function candidateOn(
  edge: FlowEdge,
  index: number,
  { ends, taken, need }: { ends: readonly Left[]; taken: bigint; need: Left },
): Candidate[] {
  const caps = [need.want, edge.hi, edge.most - taken, ...ends.map(({ most }) => most)]
  const amount = caps.reduce((a, b) => (a < b ? a : b))
  if (amount <= 0n || (taken === 0n && amount < edge.lo)) return []
  return [{ index, amount, cost: edge.fixed + edge.slope * amount }]
}

function largestNeed(nodes: readonly Left[]): Left | null {
  const wanting = nodes.filter(({ want, reward }) => want > 0n && reward > 0n)
  return wanting.reduce<Left | null>((a, b) => (a === null || b.want > a.want ? b : a), null)
}

function take(node: Left, amount: bigint): void {
  node.most -= amount
  node.want = node.want > amount ? node.want - amount : 0n
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
