import { evaluateFlow, type Flow, type FlowProblem, fewestOrders } from "./flow-problem.ts"
import { pairCheapestRoute, pairLargestFirst } from "./greedy.ts"
import { priceOrders } from "./price-orders.ts"
import { type OrderRange, type Relaxed, relaxFlow } from "./relax.ts"

/**
 * The cheapest flow, found by branch and bound.
 *
 * A node of the search is a range of order counts for each edge. Its bound is the relaxed min-cost flow; where that already is a plan at no
 * more than its bound, the node is done, otherwise the edge whose true cost exceeds its relaxed cost the most is split into "fewer orders"
 * and "more orders". With every count decided the relaxation is exact, so an exhausted search proves the optimum (fixed-charge transportation:
 * Balinski 1961; Palekar, Karwan and Zionts 1990). Where `maxOrders` is scarce, a price on orders makes the bound see it (`price-orders.ts`).
 * The search starts from the better of the two greedy pairings and only improves on it, so
 * it is never dearer than either, also when `maxNodes` ends it early; `exact` says whether it came to its end.
 */
export function solveFlow(problem: FlowProblem, maxNodes: number): Flow & { exact: boolean; nodes: number } {
  const zero = evaluateFlow(
    problem,
    problem.edges.map(() => 0n),
  )
  const starts = [zero, pairLargestFirst(problem), pairCheapestRoute(problem)].filter((flow) => flow !== null)
  let best = starts.reduce((a, b) => (b.objective < a.objective ? b : a))
  const priced = priceOrders(problem)
  let nodes = 0
  const open: OrderRange[][] = [problem.edges.map(() => ({ min: 0, max: problem.maxOrders }))]
  for (let ranges = open.pop(); ranges !== undefined; ranges = open.pop()) {
    if (nodes === maxNodes) return { ...best, exact: false, nodes }
    nodes += 1
    const tight = tightenRanges(problem, ranges)
    if (tight === null) continue
    // The price hides savings where orders are left over, so a node that it cannot split is looked at again without it.
    for (const { view, rebate } of priced) {
      const relaxed = relaxFlow(view, tight)
      if (relaxed === null || relaxed.bound - rebate >= best.objective) break
      const found = evaluateFlow(problem, relaxed.flows)
      if (found !== null && found.objective < best.objective) best = found
      if (found !== null && found.objective <= relaxed.bound - rebate) break
      const halves = splitRanges(problem, tight, relaxed)
      open.push(...halves)
      if (halves.length > 0) break
    }
  }
  return { ...best, exact: true, nodes }
}

/** No edge has more orders than the others leave, or than its ends can feed; `null` when the decided ones are too many already. */
function tightenRanges(problem: FlowProblem, ranges: readonly OrderRange[]): OrderRange[] | null {
  const spare = problem.maxOrders - ranges.reduce((sum, { min }) => sum + min, 0)
  if (spare < 0) return null
  return ranges.map(({ min, max }) => ({ min, max: Math.min(max, min + spare) }))
}

/** The likelier half comes last, because the last is looked at first. */
function splitRanges(problem: FlowProblem, ranges: readonly OrderRange[], relaxed: Relaxed): OrderRange[][] {
  let chosen = -1
  let widest = -1n
  problem.edges.forEach((edge, index) => {
    const flow = relaxed.flows[index] ?? 0n
    const min = ranges[index]?.min ?? 0
    const count = fewestOrders(edge, flow)
    if (count <= min) return
    const open = BigInt(min) * edge.hi
    const part = flow - open > edge.hi ? edge.hi : flow - open
    // What is missing to whole orders, in money; at least one, so that an edge without a fixed cost can be split too.
    const gap = edge.fixed * (BigInt(count - min) * edge.hi - part) + 1n
    if (gap <= widest) return
    chosen = index
    widest = gap
  })
  const edge = problem.edges[chosen]
  const range = ranges[chosen]
  if (!edge || !range) return []
  const count = fewestOrders(edge, relaxed.flows[chosen] ?? 0n)
  const fewer = ranges.map((other, index) => (index === chosen ? { ...range, max: count - 1 } : other))
  const more = ranges.map((other, index) => (index === chosen ? { ...range, min: count } : other))
  return [fewer, more]
}
