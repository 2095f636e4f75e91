import { describe, expect, test } from "vitest"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { flowOf } from "#policy/planner/flow/settle-flow.ts"
import { relaxFlow } from "#policy/planner/relax.ts"

/** One source that can fill one of two orders, each from 10 to 20. */
const problem = (over: Partial<FlowProblem> = {}): FlowProblem => ({
  sources: [{ want: 0n, most: 15n, reward: 0n }],
  sinks: [
    { want: 0n, most: 20n, reward: 0n },
    { want: 20n, most: 20n, reward: 9n },
  ],
  edges: [0, 1].map((sink) => {
    return { source: 0, sink, lo: 10n, hi: 20n, most: 20n, fixed: 0n, slope: 1n }
  }),
  maxOrders: 2,
  groups: [],
  ...over,
})
const decided = (first: number, second: number) => [
  { min: first, max: first },
  { min: second, max: second },
]

describe("decided orders", () => {
  test("carry their least, whatever another order would earn", () => {
    const ranges = [
      { min: 1, max: 1 },
      { min: 0, max: 1 },
    ]
    expect(relaxFlow(problem(), ranges)?.flows).toEqual([10n, 5n])
    const rich = problem({ sources: [{ want: 15n, most: 15n, reward: 900n }] })
    expect(relaxFlow(rich, ranges)?.flows).toEqual([10n, 5n])
    const dear = problem()
    const [first, second] = dear.edges
    if (first === undefined || second === undefined) throw new Error("two edges")
    const edges = [{ ...first, slope: 50n, fixed: 30n }, second]
    expect(relaxFlow({ ...dear, edges }, ranges)?.flows).toEqual([10n, 5n])
  })

  test("that cannot all carry their least allow no flow", () => {
    expect(relaxFlow(problem(), decided(1, 1))).toBeNull()
    const enough = problem({ sources: [{ want: 0n, most: 20n, reward: 0n }] })
    expect(relaxFlow(enough, decided(1, 1))).toMatchObject({ flows: [10n, 10n], bound: -70n })
  })

  test.each([
    [1, 0n, 20n],
    [2, 0n, 20n],
    [2, 3n, 17n],
    [3, 3n, 14n],
    [3, 11n, null],
  ])("%i of a source that keep back %i after the first carry %s", (count, perOrder, carried) => {
    const own = problem({ sources: [{ want: 20n, most: 20n, reward: 5n, perOrder }] })
    const [edge] = own.edges
    const edges = edge === undefined ? [] : [{ ...edge, lo: 1n }]
    const flow = flowOf({ ...own, edges, maxOrders: 3 }, [count])
    // One order carries all of it, so the plan uses fewer than are decided.
    const relaxed = relaxFlow({ ...own, edges, maxOrders: 3 }, [{ min: count, max: count }])
    expect(relaxed?.flows[0] ?? null).toBe(carried)
    expect(flow === null).toBe(carried === null)
  })

  test("of no edge earn nothing and cost nothing", () => {
    expect(relaxFlow(problem({ edges: [] }), [])).toEqual({ flows: [], bound: 0n })
    expect(relaxFlow(problem(), decided(0, 0))).toEqual({ flows: [0n, 0n], bound: 0n })
  })
})

test("undecided orders pay the part of their fixed cost that the fullest order would", () => {
  const own = problem({ edges: problem().edges.map((edge) => ({ ...edge, fixed: 61n })) })
  const open = own.edges.map(() => ({ min: 0, max: 1 }))
  // 61 of 15, the most that one order can carry, is 4 for each unit, beside the slope of 1.
  expect(relaxFlow(own, open)).toEqual({ flows: [0n, 15n], bound: 15n * (1n + 4n - 9n) })
})

test.each([
  [
    [1, 0],
    [15n, 0n],
  ],
  [
    [0, 1],
    [0n, 15n],
  ],
  [
    [0, 0],
    [0n, 0n],
  ],
  [[], [0n, 0n]],
  [[1], [15n, 0n]],
])("the best flow of %j orders has these amounts", (orders, flows) => {
  const both = problem().sinks.map((sink) => ({ ...sink, want: 20n, reward: 9n }))
  expect(flowOf(problem({ sinks: both }), orders)?.flows).toEqual(flows)
})

test.each([
  ["a part of an order", [0.5, 0]],
  ["fewer than none", [0, -1]],
  ["no number", [Number.NaN, 0]],
  ["too many to count", [2 ** 60, 0]],
  ["too many for the plan", [2, 1]],
])("%s allows no flow", (_what, orders) => {
  expect(flowOf(problem({ maxOrders: 2 }), orders)).toBeNull()
})
