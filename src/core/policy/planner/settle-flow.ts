import { evaluateFlow, type FlowProblem, type Solution } from "./flow-problem.ts"
import { relaxFlow } from "./relax.ts"
import { solveFlow } from "./solve-flow.ts"

/**
 * A solver's answer: how many orders each edge carries, and whether the solver proved that no other
 * numbers are better.
 */
export type OrderAnswer = { readonly orders: readonly number[]; readonly exact: boolean }

/**
 * The best flow with these numbers of orders, in exact arithmetic: with the numbers decided, the
 * problem is a min-cost flow. So a solver that works with floating point decides only whole
 * numbers, and a stored decision replays from them without that solver. Numbers that allow no flow,
 * or a flow worse than none, are replaced by the search here.
 */
export function settleFlow(problem: FlowProblem, { orders, exact }: OrderAnswer): Solution {
  const ranges = problem.edges.map((_, index) => ({
    min: orders[index] ?? 0,
    max: orders[index] ?? 0,
  }))
  const relaxed = relaxFlow(problem, ranges)
  const flow = relaxed === null ? null : evaluateFlow(problem, relaxed.flows)
  return flow === null || flow.objective > 0n ? solveFlow(problem) : { ...flow, exact }
}
