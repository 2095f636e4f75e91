import { expect, test } from "vitest"
import type { FlowProblem } from "./flow-problem.ts"
import { type Candidate, judgeCandidate } from "./judge-candidate.ts"
import { searchHere } from "./search-here.ts"
import { settleFlow } from "./settle-flow.ts"
import { solveFlow } from "./solve-flow.ts"

const USD = 10n ** 24n
const RATE = 10n ** 12n
const COST = Number(USD * RATE)

/**
 * Six sources and five sinks: more pairs than the exact search takes, and the pairing is not best.
 */
const PROBLEM: FlowProblem = {
  sources: Array.from({ length: 6 }, (_, at) => {
    return { want: 0n, most: BigInt(700 + 260 * at) * USD, reward: 0n }
  }),
  sinks: Array.from({ length: 5 }, (_, at) => {
    const want = BigInt(500 + ((at * 613) % 900)) * USD
    return { want, most: want * 2n, reward: RATE / 100n }
  }),
  edges: Array.from({ length: 30 }, (_, at) => {
    const source = at % 6
    const sink = Math.floor(at / 6)
    return {
      source,
      sink,
      lo: 10n * USD,
      hi: 900n * USD,
      most: 1_800n * USD,
      fixed: BigInt((source * 7 + sink * 5) % 11) * 3n * USD * RATE,
      slope: (BigInt((source * 3 + sink * 8) % 13) * RATE) / 10_000n,
    }
  }),
  maxOrders: 4,
  groups: [],
}

const HERE = searchHere(PROBLEM)
const BEST = solveFlow(PROBLEM, 20_000)
const BEST_CANDIDATE: Candidate = {
  orders: BEST.orders,
  objective: Number(BEST.objective) / COST,
  stopped: null,
}

/** The greedy pairing, which the plan falls back to. */
const GREEDY = { orders: HERE.orders, exact: false, by: "greedy" }

test("a large problem starts with the greedy pairing, and a better plan exists", () => {
  expect(HERE).toMatchObject(GREEDY)
  expect(BEST.exact).toBe(true)
  expect(BEST.objective).toBeLessThan(HERE.objective)
})

test("the numbers of HiGHS count when their exact cost is the stated one", () => {
  const answer = judgeCandidate(PROBLEM, HERE, BEST_CANDIDATE)
  expect(answer).toEqual({ orders: BEST.orders, exact: true, by: "highs" })
  expect(settleFlow(PROBLEM, answer)).toMatchObject({ objective: BEST.objective, exact: true })
})

test("numbers of HiGHS without a proof count when they are better, and name the limit", () => {
  for (const why of ["time", "limit"] as const) {
    const answer = judgeCandidate(PROBLEM, HERE, { ...BEST_CANDIDATE, stopped: why })
    expect(answer).toEqual({ orders: BEST.orders, exact: false, by: "highs", why })
  }
})

test.each([
  ["more orders than a plan may have", PROBLEM.edges.map(() => 1)],
  ["a negative number of orders", PROBLEM.edges.map((_, at) => (at === 0 ? -1 : 0))],
  ["a part of an order", PROBLEM.edges.map((_, at) => (at === 0 ? 0.5 : 0))],
  ["no number at all", PROBLEM.edges.map(() => Number.NaN)],
  ["more orders than their source can fill", PROBLEM.edges.map((_, at) => (at === 0 ? 4 : 0))],
])("%s is no plan: the greedy pairing counts", (name, orders) => {
  const tight = name.includes("source") ? { ...PROBLEM, edges: PROBLEM.edges.map(dear) } : PROBLEM
  const here = searchHere(tight)
  const answer = judgeCandidate(tight, here, { ...BEST_CANDIDATE, orders })
  expect(answer).toEqual({ orders: here.orders, exact: false, by: "greedy", why: "infeasible" })
})

test("numbers that cost more than the greedy pairing do not count, whatever HiGHS says", () => {
  const none = PROBLEM.edges.map(() => 0)
  const worse = judgeCandidate(PROBLEM, HERE, { ...BEST_CANDIDATE, orders: none })
  expect(worse).toEqual({ ...GREEDY, why: "worse" })
  const late = judgeCandidate(PROBLEM, HERE, { orders: none, objective: Infinity, stopped: "time" })
  expect(late).toEqual({ ...GREEDY, why: "time" })
})

test("a stated cost that the numbers do not have proves nothing", () => {
  for (const apart of [-0.01, 0.01]) {
    const candidate = { ...BEST_CANDIDATE, objective: BEST_CANDIDATE.objective + apart }
    expect(judgeCandidate(PROBLEM, HERE, candidate)).toMatchObject({
      exact: false,
      by: "highs",
      why: "inexact",
    })
  }
  const rounded = { ...BEST_CANDIDATE, objective: BEST_CANDIDATE.objective + 1e-7 }
  expect(judgeCandidate(PROBLEM, HERE, rounded)).toMatchObject({ exact: true })
})

test("a candidate proves the plan found here when that one costs what HiGHS says is least", () => {
  const here = { ...BEST, exact: false, by: "search" } as const
  const answer = judgeCandidate(PROBLEM, here, {
    ...BEST_CANDIDATE,
    orders: PROBLEM.edges.map(() => 0),
  })
  expect(answer).toEqual({ orders: BEST.orders, exact: true, by: "search" })
})

/** Four orders of this edge need more than its source has. */
function dear(edge: FlowProblem["edges"][number]): FlowProblem["edges"][number] {
  return { ...edge, lo: 180n * USD, hi: 200n * USD }
}
