import { parentPort } from "node:worker_threads"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { createHighsSolver } from "./solve-with-highs.ts"

/** The messages between `create-solver.ts` and this thread. */
export type SolverQuestion = { readonly id: number; readonly problem: FlowProblem; readonly limitMs: number }
export type SolverReply = { readonly id: number; readonly answer: OrderAnswer | null }

const solver = createHighsSolver()

parentPort?.on("message", async ({ id, problem, limitMs }: SolverQuestion) => {
  let answer: OrderAnswer | null = null
  try {
    answer = (await solver)(problem, limitMs)
  } catch {
    // The other thread searches by itself without an answer.
  }
  const reply: SolverReply = { id, answer }
  parentPort?.postMessage(reply)
})
