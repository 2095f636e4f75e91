import type { FlowProblem, Solution } from "./flow-problem.ts"
import type { OrderAnswer, Unproven } from "./settle-flow.ts"
import { EXACT_EDGES, pairGreedily, solveFlow } from "./solve-flow.ts"

/** The plan that this thread finds by itself. */
export type SearchedHere = Solution & { readonly by: "search" | "greedy" }

/** Ten times the most that treasuries of eight assets took. */
const SMALL_NODES = 2_000

/** The exact search proves the plan of a small problem. A large one gets the greedy pairing. */
export function searchHere(problem: FlowProblem): SearchedHere {
  return problem.edges.length <= EXACT_EDGES
    ? { ...solveFlow(problem, SMALL_NODES), by: "search" }
    : { ...pairGreedily(problem), exact: false, by: "greedy" }
}

/** `why`: why HiGHS did not prove a plan. */
export function answerOf({ orders, exact, by }: SearchedHere, why?: Unproven): OrderAnswer {
  return why === undefined ? { orders, exact, by } : { orders, exact, by, why }
}

/** For a caller without a solver. */
export function searchAlone(problem: FlowProblem): OrderAnswer {
  const { orders, exact } = solveFlow(problem)
  return { orders, exact, by: "search" }
}
