import { parentPort } from "node:worker_threads"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { searchOrders } from "./search-orders.ts"
import { SharedSearch } from "./shared-search.ts"
import { createHighsSolver, SEARCH_NODES } from "./solve-with-highs.ts"

/**
 * The messages between `create-solver.ts` and this thread. `shared`: the memory in which the
 * threads of one problem meet. A helper takes parts of the search and sends no reply.
 */
export type SolverQuestion = {
  readonly id: number
  readonly problem: FlowProblem
  readonly limitMs: number
  readonly shared: SharedArrayBuffer | null
  readonly isHelper: boolean
}
export type SolverReply = { readonly id: number; readonly answer: OrderAnswer | null }

let solver: ReturnType<typeof createHighsSolver> | null = null

parentPort?.on("message", async ({ id, problem, limitMs, shared, isHelper }: SolverQuestion) => {
  const mates = shared === null ? undefined : new SharedSearch(problem, shared, isHelper)
  if (isHelper) {
    searchOrders(problem, SEARCH_NODES, mates)
    return
  }
  let answer: OrderAnswer | null = null
  try {
    solver ??= createHighsSolver()
    answer = (await solver)(problem, limitMs, mates)
  } catch {
    // The other thread searches by itself without an answer.
  }
  const reply: SolverReply = { id, answer }
  parentPort?.postMessage(reply)
})
