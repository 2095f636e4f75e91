import { mustExist } from "#lib/assert.ts"
import { pairCheapestRoute, pairLargestFirst } from "../greedy.ts"
import { priceOrders } from "../price-orders.ts"
import { type OrderRange, type Relaxed, relaxFlow } from "../relax.ts"
import {
  evaluateFlow,
  type Flow,
  type FlowProblem,
  fewestOrders,
  type Solution,
} from "./flow-problem.ts"

/**
 * Finds the cheapest flow by branch and bound.
 *
 * A node of the search is a range of order counts for each edge. The bound of a node is the relaxed
 * min-cost flow. When the relaxed flow is a plan that costs no more than the bound, the node is
 * done. Otherwise the search splits one edge, the one with the largest difference between true and
 * relaxed cost, into "fewer orders" and "more orders". When every count is decided, the relaxation
 * is exact, so a complete search proves the optimum (fixed-charge transportation: Balinski 1961;
 * Palekar, Karwan and Zionts 1990). When `maxOrders` is scarce, a price on orders tightens the
 * bound (`price-orders.ts`). The search starts from the better of the two greedy pairings and only
 * improves on it. The result therefore never costs more than either pairing, also when `maxNodes`
 * ends the search early. `exact` says whether the search was complete.
 */
export function solveFlow(
  problem: FlowProblem,
  maxNodes = nodesFor(problem),
): Solution & { readonly nodes: number } {
  let best = pairGreedily(problem)
  const priced = priceOrders(problem)
  let nodes = 0
  const open: OrderRange[][] = [problem.edges.map(() => ({ min: 0, max: problem.maxOrders }))]
  for (let ranges = open.pop(); ranges !== undefined; ranges = open.pop()) {
    if (nodes === maxNodes) return { ...best, exact: false, nodes }
    nodes += 1
    const tight = tightenRanges(problem, ranges)
    if (tight === null) continue
    // The price hides savings when orders are left over. A node that cannot be split with the price
    // is tried again without it.
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

/** The cheaper of the two greedy pairings; both cost at most as much as no orders. */
export function pairGreedily(problem: FlowProblem): Flow {
  const a = pairLargestFirst(problem)
  const b = pairCheapestRoute(problem)
  return b.objective < a.objective ? b : a
}

/**
 * The search of a small problem ends with a proof. That of a large one ends early: another solver
 * has tried to prove its plan before.
 */
function nodesFor({ edges }: FlowProblem): number {
  return edges.length > EXACT_EDGES ? MAX_NODES_LARGE : MAX_NODES
}

export const EXACT_EDGES = 24
const MAX_NODES = 50_000
const MAX_NODES_LARGE = 300

/**
 * Limits each edge to the orders that the other edges of its groups leave. `null` when the decided
 * orders already exceed a limit.
 */
function tightenRanges(problem: FlowProblem, ranges: readonly OrderRange[]): OrderRange[] | null {
  const all = { edges: problem.edges.map((_, index) => index), most: problem.maxOrders }
  let tight = [...ranges]
  for (const { edges, most } of [all, ...problem.groups]) {
    const spare = most - edges.reduce((sum, edge) => sum + (ranges[edge]?.min ?? 0), 0)
    if (spare < 0) return null
    const members = new Set(edges)
    tight = tight.map(({ min, max }, index) => ({
      min,
      max: members.has(index) ? Math.min(max, min + spare) : max,
    }))
  }
  return tight
}

/** The more promising half comes last, because the search takes the last node first. */
function splitRanges(
  problem: FlowProblem,
  ranges: readonly OrderRange[],
  relaxed: Relaxed,
): OrderRange[][] {
  let chosen = -1
  let widest = -1n
  problem.edges.forEach((edge, index) => {
    const flow = relaxed.flows[index] ?? 0n
    const min = ranges[index]?.min ?? 0
    const count = fewestOrders(edge, flow)
    if (count <= min) return
    const open = BigInt(min) * edge.hi
    const part = flow - open > edge.hi ? edge.hi : flow - open
    // The fixed cost that the relaxation leaves out; at least one, so that an edge without a fixed
    // cost can be split too.
    const gap = edge.fixed * (BigInt(count - min) * edge.hi - part) + 1n
    if (gap <= widest) return
    chosen = index
    widest = gap
  })
  const edge = problem.edges[chosen]
  if (edge === undefined) return []
  const range = mustExist(ranges[chosen], "the range of an edge")
  const count = fewestOrders(edge, mustExist(relaxed.flows[chosen], "the flow of an edge"))
  const fewer = ranges.map((other, index) =>
    index === chosen ? { ...range, max: count - 1 } : other,
  )
  const more = ranges.map((other, index) => (index === chosen ? { ...range, min: count } : other))
  return [fewer, more]
}
