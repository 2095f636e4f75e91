import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { judgeCandidate } from "#policy/planner/flow/judge-candidate.ts"
import { answerOf, searchHere } from "#policy/planner/flow/search-here.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"
import { createHighs } from "./solve-with-highs.ts"

/** The nodes of HiGHS for one problem: more than it visits within the seconds of the daemon. */
const NODES = 500

/**
 * The solver of the daemon for a process without deadlines, such as a backtest: HiGHS runs in this
 * thread, and nodes limit it instead of seconds, so that every machine gives the same plans.
 */
export async function createDirectSolver(): Promise<(problem: FlowProblem) => OrderAnswer> {
  const ask = await createHighs()
  return (problem) => {
    const here = searchHere(problem)
    return here.exact
      ? answerOf(here)
      : judgeCandidate(problem, here, ask(problem, { nodes: NODES }))
  }
}
