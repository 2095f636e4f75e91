import { evaluateFlow, type Flow, type FlowEdge, type FlowProblem } from "./flow-problem.ts"

/**
 * The pairing most rebalancers use: again and again the largest need, a deficit or a surplus, with the counterpart that can take most of it.
 * Costs do not matter, but an order that costs more than it is worth is left out.
 */
export function pairLargestFirst(problem: FlowProblem): Flow {
  return pairGreedily(problem, (a, b) => compare(b.amount, a.amount))
}

/** Again and again the largest need, with the counterpart whose order costs least for what it moves. */
export function pairCheapestRoute(problem: FlowProblem): Flow {
  return pairGreedily(problem, (a, b) => compare(a.cost * b.amount, b.cost * a.amount))
}

type Move = { readonly index: number; readonly amount: bigint; readonly cost: bigint }
type Left = { want: bigint; most: bigint; readonly reward: bigint }

/** Every round fills a need, uses up a counterpart or gives a need up, so the rounds come to an end. */
function pairGreedily(problem: FlowProblem, compareMoves: (a: Move, b: Move) => number): Flow {
  const sources = problem.sources.map((node) => ({ ...node }))
  const sinks = problem.sinks.map((node) => ({ ...node }))
  const flows = problem.edges.map(() => 0n)
  const givenUp = new Set<Left>()
  let last = evaluateFlow(problem, flows) ?? { flows, orders: [], objective: 0n }
  for (;;) {
    const need = largestNeed([...sinks, ...sources].filter((node) => !givenUp.has(node)))
    if (need === null) return last
    const moves = problem.edges.flatMap((edge, index): Move[] => {
      const [source, sink] = [sources[edge.source], sinks[edge.sink]]
      if (!source || !sink || (source !== need && sink !== need)) return []
      return moveOn(edge, index, { source, sink, taken: flows[index] ?? 0n, need })
    })
    const next = moves.sort(compareMoves)[0]
    const changed = next && flows.map((flow, index) => (index === next.index ? flow + next.amount : flow))
    const found = changed ? evaluateFlow(problem, changed) : null
    const edge = next && problem.edges[next.index]
    if (!found || !edge || found.objective >= last.objective) {
      givenUp.add(need)
      continue
    }
    take(sources[edge.source], next.amount)
    take(sinks[edge.sink], next.amount)
    flows[next.index] = (flows[next.index] ?? 0n) + next.amount
    last = found
  }
}

/** One order on an edge that has none yet, or what one order carries more on top of those there. */
function moveOn(
  edge: FlowEdge,
  index: number,
  { source, sink, taken, need }: { source: Left; sink: Left; taken: bigint; need: Left },
): Move[] {
  const amount = [need.want, source.most, sink.most, edge.hi, edge.most - taken].reduce((a, b) => (a < b ? a : b))
  if (amount <= 0n || (taken === 0n && amount < edge.lo)) return []
  return [{ index, amount, cost: edge.fixed + edge.slope * amount }]
}

function largestNeed(nodes: readonly Left[]): Left | null {
  const wanting = nodes.filter(({ want, reward }) => want > 0n && reward > 0n)
  return wanting.reduce<Left | null>((a, b) => (a === null || b.want > a.want ? b : a), null)
}

function take(node: Left | undefined, amount: bigint): void {
  if (!node) return
  node.most -= amount
  node.want = node.want > amount ? node.want - amount : 0n
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
