import { Worker } from "node:worker_threads"
import { afterEach, describe, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import { settleFlow } from "#policy/planner/settle-flow.ts"
import { solveFlow } from "#policy/planner/solve-flow.ts"
import { createSolver, type Solver } from "../../../../src/engine/rules/solver/create-solver.ts"
import { searchOrders } from "../../../../src/engine/rules/solver/search-orders.ts"
import { createHighsSolver } from "../../../../src/engine/rules/solver/solve-with-highs.ts"

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

/** A treasury of 15 assets. Its search takes many nodes. */
function hardProblem(seed: number): FlowProblem {
  let state = seed
  const random = (from: number, to: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return from + (state % (to - from))
  }
  const node = (): FlowProblem["sources"][number] => {
    const want = random(2_000, 16_000)
    return {
      want: BigInt(want) * USD,
      most: BigInt(want + random(0, 3_000)) * USD,
      reward: RATE / 100n,
    }
  }
  return {
    sources: Array.from({ length: 7 }, node),
    sinks: Array.from({ length: 8 }, node),
    edges: Array.from({ length: 56 }, (_, index) => ({
      source: index % 7,
      sink: Math.floor(index / 7),
      lo: BigInt(random(10, 700)) * USD,
      hi: BigInt(random(4_000, 9_500)) * USD,
      most: 9_500n * USD,
      fixed: (BigInt(random(1, 400)) * USD * RATE) / 100n,
      slope: (BigInt(random(0, 60)) * RATE) / 10_000n,
    })),
    maxOrders: 10,
    groups: [],
  }
}

let solver: Solver | null = null
afterEach(async () => {
  await solver?.stop()
  solver = null
})

describe("HiGHS", () => {
  test("agrees with the complete search on what the best plan costs", async () => {
    const solve = await createHighsSolver()
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
      const answer = solve(problem, 10_000)
      const searched = solveFlow(problem, 100_000)
      expect([answer.exact, searched.exact]).toEqual([true, true])
      const found = settleFlow(problem, answer)
      const apart = found.objective - searched.objective
      expect(searched.objective).toBeLessThan(0n)
      // A millionth of the currency.
      expect(apart < 0n ? -apart : apart).toBeLessThan((USD * RATE) / 500_000n)
    }
  })
})

describe("the solver of the daemon", () => {
  test("gives a large problem to another thread, and the same answer twice", async () => {
    const problem = problemOf(6)
    solver = createSolver(systemClock)
    const first = await solver.solve(problem)
    expect(await solver.solve(problem)).toEqual(first)
    expect(settleFlow(problem, first).objective).toBeLessThanOrEqual(
      solveFlow(problem, 0).objective,
    )
  })

  test("answers by itself when the thread dies, and starts another one for the next problem", async () => {
    let started = 0
    const start = (): Worker => {
      started += 1
      return new Worker("throw new Error('no thread')", { eval: true })
    }
    solver = createSolver(systemClock, start, 1)
    const problem = problemOf(6)
    const { orders, exact } = solveFlow(problem)
    expect(await solver.solve(problem)).toEqual({ orders, exact })
    expect(await solver.solve(problem)).toEqual({ orders, exact })
    expect(started).toBe(2)
  })

  test.each([
    [2, 1],
    [4, 2],
    [64, 3],
  ])(
    "finds the same plans with helping threads as alone (%i cores: %i)",
    async (cores, helpers) => {
      let shared = 0
      let started = 0
      const start = (): Worker => {
        started += 1
        return new Worker(
          new URL("../../../../src/engine/rules/solver/solve-in-worker.ts", import.meta.url),
        )
      }
      solver = createSolver(systemClock, start, cores)
      for (let seed = 1; seed <= 12; seed += 1) {
        const problem = hardProblem(seed)
        const alone = searchOrders(problem, 100_000)
        const { orders, exact } = await solver.solve(problem)
        expect([alone.exact, exact]).toEqual([true, true])
        const apart =
          settleFlow(problem, { orders, exact }).objective - settleFlow(problem, alone).objective
        expect(Number(apart) / Number(USD * RATE)).toBeCloseTo(0, 5)
        if (alone.nodes > 20) shared += 1
      }
      // Problems that end at their first node would prove nothing.
      expect(shared).toBeGreaterThan(3)
      expect(started).toBe(1 + helpers)
    },
    60_000,
  )

  test("a limit on one pair bounds no other orders, also where all orders together have no limit", () => {
    const limited = { ...hardProblem(1), groups: [{ edges: [0], most: 0 }] }
    const few = searchOrders(limited, 500)
    const many = searchOrders({ ...limited, maxOrders: 2_000_000 }, 500)
    expect(few.objective).toBeLessThan(0)
    expect(many.objective).toBeLessThanOrEqual(few.objective)
  })

  test("waits no longer for a helping thread that dies with a part of the search", async () => {
    const problem = hardProblem(3)
    let started = 0
    const dying = `
      const { parentPort } = require("node:worker_threads")
      parentPort.on("message", async ({ problem, shared }) => {
        const { SharedSearch } = await import(${JSON.stringify(new URL("../../../../src/engine/rules/solver/shared-search.ts", import.meta.url).href)})
        const mates = new SharedSearch(problem, shared, true)
        mates.join()
        if (mates.take() !== null) process.exit(1)
      })`
    solver = createSolver(
      systemClock,
      () => {
        started += 1
        return started === 2
          ? new Worker(dying, { eval: true })
          : new Worker(
              new URL("../../../../src/engine/rules/solver/solve-in-worker.ts", import.meta.url),
            )
      },
      2,
    )
    const startedMs = performance.now()
    const { orders } = await solver.solve(problem)
    expect(performance.now() - startedMs).toBeLessThan(4_500)
    expect(settleFlow(problem, { orders, exact: false }).objective).toBeLessThan(0n)
    expect(started).toBe(2)
  }, 20_000)

  test("answers by itself when the thread is stuck", async () => {
    const noWait = { sleep: async () => undefined }
    solver = createSolver(
      noWait,
      () =>
        new Worker("require('node:worker_threads').parentPort.on('message', () => {})", {
          eval: true,
        }),
    )
    const problem = problemOf(6)
    expect((await solver.solve(problem)).orders).toEqual(solveFlow(problem).orders)
  })
})
