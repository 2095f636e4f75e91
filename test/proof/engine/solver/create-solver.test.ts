import { Worker } from "node:worker_threads"
import { afterEach, describe, expect, test, vi } from "vitest"
import { systemClock } from "#lib/clock.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { judgeCandidate } from "#policy/planner/flow/judge-candidate.ts"
import { searchHere } from "#policy/planner/flow/search-here.ts"
import { settleFlow } from "#policy/planner/flow/settle-flow.ts"
import { solveFlow } from "#policy/planner/flow/solve-flow.ts"
import { createDirectSolver } from "../../../../src/engine/rules/solver/create-direct-solver.ts"
import { createSolver, type Solver } from "../../../../src/engine/rules/solver/create-solver.ts"
import { createHighs } from "../../../../src/engine/rules/solver/solve-with-highs.ts"

const USD = 10n ** 24n
const RATE = 10n ** 12n

/** Every source can serve every sink; fixed costs, shares and wants differ. */
function problemOf(size: number, over: Partial<FlowProblem> = {}): FlowProblem {
  const range = Array.from({ length: size }, (_, index) => index)
  return {
    sources: range.map((at) => ({ want: 0n, most: BigInt(2_000 + 700 * at) * USD, reward: 0n })),
    sinks: range.map((at) => {
      const want = BigInt(1_000 + ((at * 613) % 1_700)) * USD
      return { want, most: want * 2n, reward: RATE / 100n }
    }),
    edges: range.flatMap((source) =>
      range.map((sink) => ({
        source,
        sink,
        lo: 10n * USD,
        hi: 5_000n * USD,
        most: 9_000n * USD,
        fixed: BigInt((source * 7 + sink * 5) % 11) * USD * RATE,
        slope: (BigInt((source * 3 + sink * 8) % 13) * RATE) / 10_000n,
      })),
    ),
    maxOrders: size,
    groups: [],
    ...over,
  }
}

const log = { warn: vi.fn() }
const parts = { clock: systemClock, log }
let solver: Solver | null = null
afterEach(async () => {
  await solver?.stop()
  solver = null
  log.warn.mockClear()
})

describe("HiGHS", () => {
  test("agrees with the complete search on what the best plan costs", async () => {
    const ask = await createHighs()
    for (const problem of [
      problemOf(2),
      problemOf(4),
      problemOf(4, { maxOrders: 2 }),
      problemOf(4, { groups: [{ edges: [0, 1, 2, 3], most: 0 }] }),
      problemOf(3, {
        sources: [
          { want: 0n, most: 3_000n * USD, reward: 0n },
          ...[1, 2].map(() => ({ want: 0n, most: 900n * USD, reward: 0n, parent: 0 })),
        ],
      }),
      problemOf(3, {
        sources: [0, 1, 2].map(() => ({
          want: 0n,
          most: 1_500n * USD,
          reward: 0n,
          perOrder: 400n * USD,
        })),
      }),
      // Two orders serve the want, and together they must carry more than it.
      problemOf(1, {
        maxOrders: 2,
        sinks: [{ want: 1_500n * USD, most: 3_000n * USD, reward: RATE / 100n }],
        edges: [
          {
            source: 0,
            sink: 0,
            lo: 900n * USD,
            hi: 1_000n * USD,
            most: 3_000n * USD,
            fixed: USD * RATE,
            slope: 0n,
          },
        ],
      }),
    ]) {
      const candidate = ask(problem, { seconds: 10 })
      const searched = solveFlow(problem, 100_000)
      expect([candidate.stopped, searched.exact]).toEqual([null, true])
      const found = settleFlow(problem, { orders: candidate.orders, exact: true })
      const apart = found.objective - searched.objective
      expect(searched.objective).toBeLessThan(0n)
      // A millionth of the currency.
      expect(apart < 0n ? -apart : apart).toBeLessThan((USD * RATE) / 500_000n)
    }
  })

  test("without a plan at its limit leaves the greedy pairing, and names the limit", async () => {
    const ask = await createHighs()
    const problem = problemOf(8)
    const candidate = ask(problem, { nodes: 0 })
    expect(candidate.stopped).toBe("limit")
    expect(judgeCandidate(problem, searchHere(problem), candidate)).toMatchObject({
      exact: false,
      why: "limit",
    })
  })
})

/** A thread that runs this code for each question. */
function startThread(code: string): Worker {
  const opening = "const { parentPort } = require('node:worker_threads')"
  const listener = `parentPort.on("message", ({ id, problem }) => { ${code} })`
  return new Worker(`${opening}; ${listener}`, { eval: true })
}

describe("the solver of the daemon", () => {
  test("proves a small plan by itself, without another thread", async () => {
    const start = vi.fn(() => startThread("process.exit(1)"))
    solver = createSolver(parts, start)
    const problem = problemOf(4)
    const { orders } = solveFlow(problem)
    expect(await solver.solve(problem)).toEqual({ orders, exact: true, by: "search" })
    expect(start).not.toHaveBeenCalled()
  })

  test("gives large problems to one thread in turn, and the same answer twice", async () => {
    const file = new URL("../../../../src/engine/rules/solver/solve-in-worker.ts", import.meta.url)
    const start = vi.fn(() => new Worker(file))
    solver = createSolver(parts, start)
    const problem = problemOf(6)
    const [first, other, again] = await Promise.all(
      [problem, problemOf(7), problem].map(solver.solve),
    )
    expect(first).toMatchObject({ exact: true, by: "highs" })
    expect(other).toMatchObject({ exact: true, by: "highs" })
    expect(again).toEqual(first)
    expect(start).toHaveBeenCalledTimes(1)
    const { objective } = settleFlow(problem, first ?? { orders: [], exact: false })
    expect(objective).toBeLessThan(searchHere(problem).objective)
    expect(log.warn).not.toHaveBeenCalled()
  })

  test("gives the plans of the solver that a limit of nodes ends", async () => {
    solver = createSolver(parts)
    const solve = await createDirectSolver()
    for (const size of [3, 6, 7])
      expect(solve(problemOf(size))).toEqual(await solver.solve(problemOf(size)))
  })

  test.each([
    ["dies", "ended", "process.exit(1)"],
    ["fails", "failed", "parentPort.postMessage({ id, candidate: null })"],
    ["answers with orders that no limit allows", "infeasible", answerWith("9")],
    ["answers with a plan that costs more", "worse", answerWith("0")],
  ])("keeps the greedy pairing when the thread %s", async (_, why, code) => {
    const start = vi.fn(() => startThread(code))
    solver = createSolver(parts, start)
    const problem = problemOf(6)
    const { orders, objective } = searchHere(problem)
    for (const _ of [1, 2]) {
      const answer = await solver.solve(problem)
      expect(answer).toEqual({ orders, exact: false, by: "greedy", why })
      expect(settleFlow(problem, answer).objective).toBeLessThanOrEqual(objective)
    }
    expect(start).toHaveBeenCalledTimes(why === "ended" ? 2 : 1)
    expect(log.warn).toHaveBeenCalledWith({ why, by: "greedy", pairs: 36 }, expect.any(String))
  })

  test("keeps the greedy pairing when no thread can start, also for the next problem", async () => {
    solver = createSolver(parts, () => {
      throw new Error("no memory for another thread")
    })
    for (const size of [6, 7]) {
      expect(await solver.solve(problemOf(size))).toMatchObject({ by: "greedy", why: "failed" })
    }
  })

  test("keeps the greedy pairing when the thread is stuck, and starts another one", async () => {
    const noWait = { sleep: async () => undefined }
    const stuck = startThread("for (;;);")
    const ended = new Promise((resolve) => stuck.once("exit", resolve))
    const start = vi.fn(() => stuck)
    solver = createSolver({ clock: noWait, log }, start)
    expect(await solver.solve(problemOf(6))).toMatchObject({ by: "greedy", why: "silent" })
    await ended
    start.mockImplementation(() => startThread(""))
    expect(await solver.solve(problemOf(6))).toMatchObject({ by: "greedy", why: "silent" })
    expect(start).toHaveBeenCalledTimes(2)
  })
})

function answerWith(orders: string): string {
  const candidate = `{ orders: problem.edges.map(() => ${orders}), objective: -1, stopped: null }`
  return `parentPort.postMessage({ id, candidate: ${candidate} })`
}
