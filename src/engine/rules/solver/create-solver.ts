import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Clock } from "#lib/clock.ts"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/settle-flow.ts"
import { EXACT_EDGES, solveFlow } from "#policy/planner/solve-flow.ts"
import { createSharedSearch, endSharedSearch } from "./shared-search.ts"
import type { SolverQuestion, SolverReply } from "./solve-in-worker.ts"

/** Answers the planner's problems, large ones in another thread. `stop` ends that thread. */
export type Solver = {
  readonly solve: (problem: FlowProblem) => Promise<OrderAnswer>
  readonly stop: () => Promise<void>
}

/**
 * The time of one problem in the other thread, and the longer time after which the thread counts as
 * stuck and is replaced.
 */
const SOLVE_LIMIT_MS = 1_000
const STUCK_MS = 5_000

/**
 * A small problem is solved here within milliseconds. A large one goes to a worker thread with
 * HiGHS, which starts with the first such problem. Where the machine has more cores, other threads
 * help with the search. When the first thread fails or gives no answer in time, a short search here
 * answers.
 */
export function createSolver(
  clock: Pick<Clock, "sleep">,
  startWorker: () => Worker = startSolverWorker,
  cores: number = availableParallelism(),
): Solver {
  let worker: Worker | null = null
  let asked = 0
  const waiting = new Map<number, Waiting>()
  // The first thread would wait for the parts of the search that a lost helper has taken.
  const lose = (): void => endSearches(waiting.values())
  const helpers = Array.from({ length: countHelpers(cores) }, () => createHelper(startWorker, lose))

  function open(): Worker {
    if (worker !== null) return worker
    const fresh = startThread(
      startWorker,
      () => close(fresh),
      ({ id, answer }) => settle(id, answer),
    )
    worker = fresh
    return fresh
  }

  function settle(id: number, answer: OrderAnswer | null): void {
    waiting.get(id)?.resolve(answer)
    waiting.delete(id)
  }

  function close(old: Worker): void {
    if (worker !== old) return
    worker = null
    for (const [id, { shared }] of waiting) {
      if (shared !== null) endSharedSearch(shared)
      settle(id, null)
    }
  }

  async function ask(problem: FlowProblem): Promise<OrderAnswer | null> {
    const id = ++asked
    const answered = new AbortController()
    const thread = open()
    const mates = helpers.map((helper) => helper.open())
    const shared = mates.length === 0 ? null : createSharedSearch(problem)
    const answer = new Promise<OrderAnswer | null>((resolve) =>
      waiting.set(id, { resolve, shared }),
    )
    const question: SolverQuestion = {
      id,
      problem,
      limitMs: SOLVE_LIMIT_MS,
      shared,
      isHelper: false,
    }
    thread.postMessage(question)
    for (const mate of mates)
      mate.postMessage({ ...question, isHelper: true } satisfies SolverQuestion)
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
      return answer ?? searchHere(problem)
    },
    stop: async () => {
      await Promise.all([worker?.terminate(), ...helpers.map((helper) => helper.stop())])
    },
  }
}

function searchHere(problem: FlowProblem): OrderAnswer {
  const { orders, exact } = solveFlow(problem)
  return { orders, exact }
}

function endSearches(waiting: Iterable<Waiting>): void {
  for (const { shared } of waiting) if (shared !== null) endSharedSearch(shared)
}

/** At most three helpers. From three cores on, one of them stays free for the main thread. */
function countHelpers(cores: number): number {
  return cores < 2 ? 0 : Math.max(1, Math.min(3, cores - 2))
}

/** A thread that helps the first one. */
function createHelper(startWorker: () => Worker, onLost: () => void) {
  let helper: Worker | null = null
  return {
    open: (): Worker => {
      if (helper !== null) return helper
      const fresh = startThread(startWorker, () => {
        if (helper !== fresh) return
        helper = null
        onLost()
      })
      helper = fresh
      return fresh
    },
    stop: async (): Promise<void> => {
      await helper?.terminate()
    },
  }
}

/** A problem under way. `shared`: the memory in which its threads meet. */
type Waiting = {
  readonly resolve: (answer: OrderAnswer | null) => void
  readonly shared: SharedArrayBuffer | null
}

/** A thread that does not keep the process alive. */
function startThread(
  startWorker: () => Worker,
  onEnd: () => void,
  onReply: (reply: SolverReply) => void = () => undefined,
): Worker {
  const thread = startWorker()
  thread.on("error", onEnd)
  thread.on("exit", onEnd)
  thread.on("message", onReply)
  // A listener of messages keeps the process alive, so this comes after it.
  thread.unref()
  return thread
}

/**
 * The file has the ending of this one: TypeScript in a checkout, JavaScript in an installed
 * package.
 */
function startSolverWorker(): Worker {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js"
  return new Worker(new URL(`./solve-in-worker.${ending}`, import.meta.url))
}
