import { parentPort } from "node:worker_threads"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { Candidate } from "#policy/planner/flow/judge-candidate.ts"
import { createHighs } from "./solve-with-highs.ts"

/** The messages to this thread and back. `candidate`: `null` when HiGHS failed. */
export type SolverQuestion = {
  readonly id: number
  readonly problem: FlowProblem
  readonly seconds: number
}
export type SolverReply = { readonly id: number; readonly candidate: Candidate | null }

let highs: ReturnType<typeof createHighs> | null = null

parentPort?.on("message", async ({ id, problem, seconds }: SolverQuestion) => {
  let candidate: Candidate | null = null
  try {
    highs ??= createHighs()
    candidate = (await highs)(problem, { seconds })
  } catch {
    // An aborted WebAssembly instance fails at each later call, so the next question gets a new
    // one.
    highs = null
  }
  const reply: SolverReply = { id, candidate }
  parentPort?.postMessage(reply)
})
