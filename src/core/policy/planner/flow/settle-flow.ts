import { relaxFlow } from "../relax.ts"
import { evaluateFlow, type Flow, type FlowProblem, type Solution } from "./flow-problem.ts"
import { solveFlow } from "./solve-flow.ts"

/**
 * A solver's answer: how many orders each edge carries, and whether the solver proved that no
 * other numbers are better. `by`: what found the numbers. `why`: why they are not proven.
 *
 * The journal stores it with the decision, so no key may be renamed. Those of an earlier version
 * have neither `by` nor `why`.
 */
export type OrderAnswer = {
  readonly orders: readonly number[]
  readonly exact: boolean
  readonly by?: "search" | "greedy" | "highs"
  readonly why?: Unproven
}

/**
 * `time`, `limit`: HiGHS reached its limit. `ended`, `silent`, `failed`: its thread ended, gave no
 * answer in time, or reported a failure. `infeasible`, `worse`, `inexact`: its numbers break a
 * limit, cost more than the greedy pairing, or cost something else than HiGHS states.
 */
export type Unproven =
  | "time"
  | "limit"
  | "ended"
  | "silent"
  | "failed"
  | "infeasible"
  | "worse"
  | "inexact"

/**
 * The best flow with these numbers of orders, in exact arithmetic: with the numbers decided, the
 * problem is a min-cost flow. So a solver that works with floating point decides only whole
 * numbers, and a stored decision replays from them without that solver. Numbers that allow no
 * flow, or a flow worse than none, are replaced by the search here.
 */
export function settleFlow(problem: FlowProblem, { orders, exact }: OrderAnswer): Solution {
  const flow = flowOf(problem, orders)
  return flow === null || flow.objective > 0n ? solveFlow(problem) : { ...flow, exact }
}

/** The best flow with these numbers of orders; `null` when they allow none within all limits. */
export function flowOf(problem: FlowProblem, orders: readonly number[]): Flow | null {
  const ranges = problem.edges.map((_, index) => ({
    min: orders[index] ?? 0,
    max: orders[index] ?? 0,
  }))
  if (!ranges.every(({ min }) => Number.isSafeInteger(min) && min >= 0)) return null
  const relaxed = relaxFlow(problem, ranges)
  return relaxed === null ? null : evaluateFlow(problem, relaxed.flows)
}
