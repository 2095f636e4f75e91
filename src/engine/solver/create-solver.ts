import { Worker } from "node:worker_threads"
import type { Clock } from "#lib/clock.ts"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { EXACT_EDGES, solveFlow } from "#policy/planner/solve-flow.ts"
import type { SolverQuestion, SolverReply } from "./solve-in-worker.ts"

/** Answers the planner's problems, large ones in another thread. `stop` ends that thread. */
export type Solver = {
  readonly solve: (problem: FlowProblem) => Promise<OrderAnswer>
  readonly stop: () => Promise<void>
}

/** The time of one problem in the other thread, and the longer time after which the thread counts as stuck and is replaced. */
export const SOLVE_LIMIT_MS = 1_000
const STUCK_MS = 5_000

/**
 * A small problem is solved here within milliseconds. A large one goes to a worker thread with HiGHS, which starts with the first such problem. When
 * the thread fails or gives no answer in time, a short search here answers.
 */
export function createSolver(clock: Pick<Clock, "sleep">, startWorker: () => Worker = startSolverWorker): Solver {
  let worker: Worker | null = null
  let asked = 0
  const waiting = new Map<number, (answer: OrderAnswer | null) => void>()

  function open(): Worker {
    if (worker !== null) return worker
    const fresh = startWorker()
    worker = fresh
    // The thread alone must not keep the process alive.
    fresh.unref()
    fresh.on("message", ({ id, answer }: SolverReply) => settle(id, answer))
    fresh.on("error", () => close(fresh))
    fresh.on("exit", () => close(fresh))
    return fresh
  }

  function settle(id: number, answer: OrderAnswer | null): void {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }

  function close(old: Worker): void {
    if (worker !== old) return
    worker = null
    for (const id of [...waiting.keys()]) settle(id, null)
  }

  async function ask(problem: FlowProblem): Promise<OrderAnswer | null> {
    const id = ++asked
    const answered = new AbortController()
    const thread = open()
    const answer = new Promise<OrderAnswer | null>((resolve) => waiting.set(id, resolve))
    const question: SolverQuestion = { id, problem, limitMs: SOLVE_LIMIT_MS }
    thread.postMessage(question)
    const stuck = clock.sleep(STUCK_MS, answered.signal).then(
      () => "stuck" as const,
      () => null,
    )
    const first = await Promise.race([answer, stuck])
    answered.abort()
    if (first !== "stuck") return first
    void thread.terminate()
    close(thread)
    return null
  }

  return {
    solve: async (problem) => {
      const answer = problem.edges.length <= EXACT_EDGES ? null : await ask(problem)
      if (answer !== null) return answer
      const { orders, exact } = solveFlow(problem)
      return { orders, exact }
    },
    stop: async () => {
      await worker?.terminate()
    },
  }
}

/** The file has the ending of this one: TypeScript in a checkout, JavaScript in an installed package. */
function startSolverWorker(): Worker {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js"
  return new Worker(new URL(`./solve-in-worker.${ending}`, import.meta.url))
}
