import { type FlowEdge, type FlowProblem, fewestOrders } from "./flow/flow-problem.ts"
import { relaxFlow } from "./relax.ts"

/**
 * The same problem with more expensive orders. Its relaxed bound minus `rebate` is a bound of the
 * original problem.
 */
type PricedProblem = { readonly view: FlowProblem; readonly rebate: bigint }

const STEPS = 12

/**
 * Variants of the problem for bounding, best first; the last variant has no price.
 *
 * The relaxation uses fractions of orders, so `maxOrders` hardly limits it. A price for each order,
 * minus the price of `maxOrders` orders, never makes an allowed plan more expensive, so the result
 * is still a bound (Lagrange; Held and Karp 1970). Bisection finds the price.
 */
export function priceOrders(problem: FlowProblem): PricedProblem[] {
  const free = { view: problem, rebate: 0n }
  const ranges = problem.edges.map(() => ({ min: 0, max: problem.maxOrders }))
  const root = relaxFlow(problem, ranges)
  const count = problem.edges.reduce(
    (sum, edge, index) => sum + fewestOrders(edge, root?.flows[index] ?? 0n),
    0,
  )
  if (root === null || count <= problem.maxOrders) return [free]
  let low = 0n
  let high = highestPrice(problem)
  let best = { priced: free, bound: root.bound }
  for (let step = 0; step < STEPS; step += 1) {
    const price = (low + high) / 2n
    const priced = withPrice(problem, price)
    const relaxed = relaxFlow(priced.view, ranges)
    if (relaxed === null) break
    const bound = relaxed.bound - priced.rebate
    if (bound > best.bound) best = { priced, bound }
    if (ordersInParts(problem, relaxed.flows) > BigInt(problem.maxOrders) * MILLION) low = price
    else high = price
  }
  return best.priced === free ? [free] : [best.priced, free]
}

const MILLION = 1_000_000n

function withPrice(problem: FlowProblem, price: bigint): PricedProblem {
  const edges = problem.edges.map((edge) => ({ ...edge, fixed: edge.fixed + price }))
  return { view: { ...problem, edges }, rebate: price * BigInt(problem.maxOrders) }
}

/** At this price no order is worth its cost. */
function highestPrice(problem: FlowProblem): bigint {
  return problem.edges.reduce((most, edge) => {
    const reward =
      (problem.sources[edge.source]?.reward ?? 0n) + (problem.sinks[edge.sink]?.reward ?? 0n)
    const worth = fullestOrder(problem, edge) * reward
    return worth > most ? worth : most
  }, 0n)
}

/**
 * The number of orders in the relaxation, in millionths: each flow divided by the most that one
 * order could carry.
 */
function ordersInParts(problem: FlowProblem, flows: readonly bigint[]): bigint {
  return problem.edges.reduce((sum, edge, index) => {
    const full = fullestOrder(problem, edge)
    return full === 0n ? sum : sum + ((flows[index] ?? 0n) * MILLION) / full
  }, 0n)
}

function fullestOrder(
  { sources, sinks }: FlowProblem,
  { source, sink, hi, most }: FlowEdge,
): bigint {
  return [sources[source]?.most ?? 0n, sinks[sink]?.most ?? 0n, hi, most].reduce((a, b) =>
    a < b ? a : b,
  )
}
