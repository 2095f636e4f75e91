import { describe, expect, test } from "vitest"
import type { FlowEdge, FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import { pairCheapestRoute, pairLargestFirst } from "#policy/planner/greedy.ts"

const edge = (source: number, sink: number, over: Partial<FlowEdge> = {}): FlowEdge => {
  return { source, sink, lo: 1n, hi: 50n, most: 50n, fixed: 0n, slope: 1n, ...over }
}
const node = (want: bigint, most: bigint, reward: bigint) => ({ want, most, reward })

/** Two sources without needs, and two sinks that want 30 and 20. */
const problem = (edges: readonly FlowEdge[], over: Partial<FlowProblem> = {}): FlowProblem => ({
  sources: [node(0n, 40n, 0n), node(0n, 25n, 0n)],
  sinks: [node(30n, 40n, 9n), node(20n, 40n, 9n)],
  edges,
  maxOrders: 9,
  groups: [],
  ...over,
})
const ALL = [edge(0, 0), edge(0, 1), edge(1, 0), edge(1, 1, { slope: 0n })]

describe("the largest need first", () => {
  test("takes the counterpart that can give the most, whatever it costs", () => {
    expect(pairLargestFirst(problem(ALL)).flows).toEqual([30n, 0n, 0n, 20n])
    const dear = [edge(0, 0, { slope: 8n }), ...ALL.slice(1)]
    expect(pairLargestFirst(problem(dear)).flows).toEqual([30n, 0n, 0n, 20n])
  })

  test("by cost takes the cheapest for each unit", () => {
    const dear = [edge(0, 0, { slope: 8n }), ...ALL.slice(1)]
    expect(pairCheapestRoute(problem(dear)).flows).toEqual([5n, 20n, 25n, 0n])
    const fixed = [edge(0, 0, { fixed: 100n }), ...ALL.slice(1)]
    expect(pairCheapestRoute(problem(fixed)).flows).toEqual([0n, 20n, 25n, 0n])
  })
})

describe.each([
  ["largest", pairLargestFirst],
  ["cheapest", pairCheapestRoute],
])("the %s pairing", (_name, pair) => {
  const flowsOf = (over: Partial<FlowProblem>, edges = [edge(0, 0)]) =>
    pair(problem(edges, over)).flows

  test.each<readonly [string, Partial<FlowProblem>, readonly FlowEdge[], bigint]>([
    ["as much as is wanted", {}, [edge(0, 0)], 30n],
    ["nothing without a reward", { sinks: [node(30n, 40n, 0n)] }, [edge(0, 0)], 0n],
    ["nothing without a need", { sinks: [node(0n, 40n, 9n)] }, [edge(0, 0)], 0n],
    ["no more than the source has", { sources: [node(0n, 12n, 0n)] }, [edge(0, 0)], 12n],
    ["no more than the sink takes", { sinks: [node(30n, 7n, 9n)] }, [edge(0, 0)], 7n],
    ["several orders", {}, [edge(0, 0, { hi: 20n })], 30n],
    ["no more than the edge has", {}, [edge(0, 0, { hi: 20n, most: 25n })], 25n],
    ["nothing below the least", {}, [edge(0, 0, { lo: 31n })], 0n],
    ["just the least", {}, [edge(0, 0, { lo: 30n })], 30n],
    ["nothing that costs all of its reward", {}, [edge(0, 0, { slope: 9n })], 0n],
    ["a little below its reward", {}, [edge(0, 0, { fixed: 239n })], 30n],
    ["nothing for a fixed cost of all of it", {}, [edge(0, 0, { fixed: 240n })], 0n],
    ["as many orders as there may be", { maxOrders: 1 }, [edge(0, 0, { hi: 20n })], 20n],
    ["what a source wants to lose", { sources: [node(35n, 40n, 9n)] }, [edge(0, 0)], 35n],
    ["nothing over no edge", {}, [], 0n],
  ])("carries %s", (_what, over, edges, carried) => {
    expect(flowsOf(over, [...edges]).reduce((sum, flow) => sum + flow, 0n)).toBe(carried)
  })

  test("counts a window above all sources", () => {
    const sources = [node(0n, 33n, 0n), { ...node(0n, 40n, 0n), parent: 0 }]
    expect(flowsOf({ sources }, [edge(1, 0), edge(1, 1)])).toEqual([30n, 3n])
  })
})
