import { Worker } from "node:worker_threads"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { type Candidate, judgeCandidate } from "#policy/planner/flow/judge-candidate.ts"
import { answerOf, searchHere } from "#policy/planner/flow/search-here.ts"
import type { OrderAnswer, Unproven } from "#policy/planner/flow/settle-flow.ts"
import type { SolverQuestion, SolverReply } from "./solve-in-worker.ts"

/** Answers the planner's problems, large ones in another thread. `stop` ends that thread. */
export type Solver = {
  readonly solve: (problem: FlowProblem) => Promise<OrderAnswer>
  readonly stop: () => Promise<void>
}

/** The time of HiGHS for one problem. */
const SOLVE_LIMIT_S = 5
/** HiGHS reads its clock between steps. After this time its thread is stuck and is replaced. */
const STUCK_MS = 10_000

/**
 * The exact search proves the plan of a small problem here within milliseconds. A larger problem
 * goes to HiGHS in a worker thread, which starts with the first such problem and answers one at a
 * time. Its answer is checked here. Without an answer the greedy pairing is the plan.
 */
export function createSolver(
  { clock, log }: { readonly clock: Pick<Clock, "sleep">; readonly log: Pick<Logger, "warn"> },
  startWorker: () => Worker = startSolverWorker,
): Solver {
  let worker: Worker | null = null
  let asked = 0
  let resolve: (candidate: Candidate | Unproven) => void = () => undefined
  let last: Promise<unknown> = Promise.resolve()

  function open(): Worker {
    if (worker !== null) return worker
    const fresh = startWorker()
    fresh.on("error", () => close(fresh))
    fresh.on("exit", () => close(fresh))
    fresh.on("message", ({ id, candidate }: SolverReply) => {
      if (id === asked) resolve(candidate ?? "failed")
    })
    // A listener of messages keeps the process alive, so this comes after it.
    fresh.unref()
    worker = fresh
    return fresh
  }

  function close(old: Worker): void {
    if (worker !== old) return
    worker = null
    resolve("ended")
  }

  async function ask(problem: FlowProblem): Promise<Candidate | Unproven> {
    const question: SolverQuestion = { id: ++asked, problem, seconds: SOLVE_LIMIT_S }
    const answered = new AbortController()
    const thread = open()
    const answer = new Promise<Candidate | Unproven>((settle) => {
      resolve = settle
    })
    thread.postMessage(question)
    const first = await Promise.race([answer, untilStuck(clock, answered.signal)])
    answered.abort("answered")
    if (first === "silent") {
      worker = null
      void thread.terminate()
    }
    return first
  }

  return {
    solve: async (problem) => {
      const here = searchHere(problem)
      if (here.exact) return answerOf(here)
      // A thread that cannot start must not keep the next problem from its turn.
      const turn = last.then(() => ask(problem)).catch(() => "failed" as const)
      last = turn
      const candidate = await turn
      const answer =
        typeof candidate === "string"
          ? answerOf(here, candidate)
          : judgeCandidate(problem, here, candidate)
      if (answer.why !== undefined && answer.why !== "time") {
        log.warn({ why: answer.why, by: answer.by, pairs: problem.edges.length }, NO_PROOF)
      }
      return answer
    },
    stop: async () => {
      await worker?.terminate()
    },
  }
}

/** Resolves when a thread without an answer counts as stuck, or when `answered` fires. */
async function untilStuck(clock: Pick<Clock, "sleep">, answered: AbortSignal): Promise<"silent"> {
  await clock.sleep(STUCK_MS, answered).catch(() => undefined)
  return "silent"
}

const NO_PROOF = "HiGHS gave no proven plan; the best known one within all limits counts"

/**
 * The file has the ending of this one: TypeScript in a checkout, JavaScript in an installed
 * package.
 */
function startSolverWorker(): Worker {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js"
  return new Worker(new URL(`./solve-in-worker.${ending}`, import.meta.url))
}
