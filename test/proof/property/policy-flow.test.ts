import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createHighs } from "#engine/rules/solver/solve-with-highs.ts"
import type {
  FlowEdge,
  FlowNode,
  FlowProblem,
  OrderGroup,
} from "#policy/planner/flow/flow-problem.ts"
import { judgeCandidate } from "#policy/planner/flow/judge-candidate.ts"
import { settleFlow } from "#policy/planner/flow/settle-flow.ts"
import { solveFlow } from "#policy/planner/flow/solve-flow.ts"
import { pairCheapestRoute, pairLargestFirst } from "#policy/planner/greedy.ts"

const small = problems({ nodes: 3, edges: 5, size: 6, orders: 4 })
const large = problems({ nodes: 7, edges: 30, size: 10_000, orders: 12 })

describe("the cheapest flow", () => {
  test("equals the result of an exhaustive search", () => {
    fc.assert(
      fc.property(small, (problem) => {
        const found = solveFlow(problem, Number.POSITIVE_INFINITY)
        expect(found.exact).toBe(true)
        expect(found.objective).toBe(tryEverything(problem))
        expect(judge(problem, found.flows)).toBe(found.objective)
      }),
      { numRuns: 1_500, seed: 7 },
    )
  })

  test("equals a result that HiGHS proves, down to a millionth", { timeout: 180_000 }, async () => {
    const tight = problems({ nodes: 4, edges: 9, size: 40, orders: 5 })
    const ask = await createHighs()
    let orders = 0
    let proven = 0
    for (const [arbitrary, numRuns] of [
      [small, 150],
      [tight, 150],
    ] as const) {
      fc.assert(
        fc.property(arbitrary, (unscaled) => {
          const problem = toCurrency(unscaled)
          if (problem.edges.length === 0) return
          const best = solveFlow(problem, Number.POSITIVE_INFINITY)
          orders += best.orders.reduce((sum, count) => sum + count, 0)
          // Nothing found here: the answer is the one of HiGHS, or none.
          const none = problem.edges.map(() => 0)
          const here = {
            flows: [],
            orders: none,
            objective: 0n,
            exact: false,
            by: "greedy",
          } as const
          const answer = judgeCandidate(problem, here, ask(problem, { nodes: 1_000 }))
          const apart = settleFlow(problem, answer).objective - best.objective
          expect(apart).toBeGreaterThanOrEqual(0n)
          if (!answer.exact) return
          proven += 1
          expect(apart).toBeLessThan(UNIT_VALUE / 500_000n)
        }),
        { numRuns, seed: 7 },
      )
    }
    expect(orders).toBeGreaterThan(70)
    expect(proven).toBeGreaterThan(250)
  })

  test("never costs more than either greedy pairing, also when the search ends early", () => {
    fc.assert(
      fc.property(large, fc.integer({ min: 1, max: 40 }), (problem, nodes) => {
        const found = solveFlow(problem, nodes)
        expect(judge(problem, found.flows)).toBe(found.objective)
        for (const greedy of [pairLargestFirst(problem), pairCheapestRoute(problem)]) {
          expect(judge(problem, greedy.flows)).toBe(greedy.objective)
          expect(found.objective).toBeLessThanOrEqual(greedy.objective)
        }
      }),
      { numRuns: 150, seed: 7 },
    )
  })
})

const UNIT = 10n ** 24n
const RATE = 10n ** 12n
const UNIT_VALUE = UNIT * RATE

/**
 * The same problem in units of the currency, as the planner states it, without the fees that
 * further orders keep back.
 */
function toCurrency({ sources, sinks, edges, maxOrders, groups }: FlowProblem): FlowProblem {
  const scale = ({ want, most, reward, parent }: FlowNode): FlowNode => {
    const below = parent === undefined ? {} : { parent }
    return { want: want * UNIT, most: most * UNIT, reward: reward * RATE, ...below }
  }
  return {
    sources: sources.map(scale),
    sinks: sinks.map(scale),
    edges: edges.map(({ lo, hi, most, fixed, slope, ...ends }) => ({
      ...ends,
      lo: lo * UNIT,
      hi: hi * UNIT,
      most: most * UNIT,
      fixed: fixed * UNIT_VALUE,
      slope: slope * RATE,
    })),
    maxOrders,
    groups,
  }
}

function problems(max: {
  nodes: number
  edges: number
  size: number
  orders: number
}): fc.Arbitrary<FlowProblem> {
  const amount = (from: number, to: number): fc.Arbitrary<bigint> =>
    fc.bigInt({ min: BigInt(from), max: BigInt(to) })
  const node = fc
    .record({
      want: amount(0, max.size),
      spare: amount(0, max.size),
      reward: amount(0, 12),
      perOrder: fc.option(amount(0, 2), { nil: undefined }),
      isBelow: fc.boolean(),
    })
    .map(({ want, spare, reward, perOrder, isBelow }): FlowNode & { isBelow: boolean } => {
      return {
        want,
        most: want + spare,
        reward,
        isBelow,
        ...(perOrder === undefined ? {} : { perOrder }),
      }
    })
  return fc
    .record({ sources: nodes(node, max.nodes), sinks: nodes(node, max.nodes) })
    .chain(({ sources, sinks }) => {
      const edge = fc
        .record({
          source: fc.nat(sources.length - 1),
          sink: fc.nat(sinks.length - 1),
          lo: amount(1, max.size),
          more: amount(0, max.size),
          most: amount(1, 2 * max.size),
          fixed: amount(0, 3 * max.size),
          slope: amount(0, 4),
        })
        .map(({ lo, more, ...rest }): FlowEdge => ({ ...rest, lo, hi: lo + more }))
      const pair = ({ source, sink }: FlowEdge): string => `${source} ${sink}`
      const edges = fc.uniqueArray(edge, { maxLength: max.edges, selector: pair })
      return fc.record({
        sources: fc.constant(sources),
        sinks: fc.constant(sinks),
        edges,
        maxOrders: fc.integer({ min: 0, max: max.orders }),
        groups: fc.array(
          fc.record({
            edges: fc.uniqueArray(fc.nat(max.edges - 1)),
            most: fc.integer({ min: 0, max: 3 }),
          }),
          { maxLength: 2 },
        ) as fc.Arbitrary<OrderGroup[]>,
      })
    })
}

/** Some nodes lie below the first one. */
function nodes(
  node: fc.Arbitrary<FlowNode & { isBelow: boolean }>,
  maxLength: number,
): fc.Arbitrary<FlowNode[]> {
  return fc
    .array(node, { minLength: 1, maxLength })
    .map((list) =>
      list.map(({ isBelow, ...rest }, index) =>
        isBelow && index > 0 ? { ...rest, parent: 0 } : rest,
      ),
    )
}

/** All combinations of whole flows on all edges. */
function tryEverything(problem: FlowProblem): bigint {
  let best = 0n
  const flows: bigint[] = []
  const visit = (index: number): void => {
    const edge = problem.edges[index]
    if (!edge) {
      const objective = judge(problem, flows)
      if (objective !== null && objective < best) best = objective
      return
    }
    for (
      let flow = 0n;
      flow <= edge.most && flow <= (problem.sources[edge.source]?.most ?? 0n);
      flow += 1n
    ) {
      flows[index] = flow
      visit(index + 1)
    }
  }
  visit(0)
  return best
}

/**
 * A second implementation of flow-problem.ts that counts orders up; `null` for a flow that is not
 * allowed.
 */
function judge(
  { sources, sinks, edges, maxOrders, groups }: FlowProblem,
  flows: readonly bigint[],
): bigint | null {
  let objective = 0n
  let count = 0n
  const out = sources.map(() => ({ flow: 0n, orders: 0n }))
  const into = sinks.map(() => ({ flow: 0n, orders: 0n }))
  const left = groups.map(({ most }) => BigInt(most))
  for (const [index, edge] of edges.entries()) {
    const flow = flows[index] ?? 0n
    let orders = 0n
    while (orders * edge.hi < flow) orders += 1n
    if (flow < orders * edge.lo || flow > edge.most) return null
    count += orders
    objective += orders * edge.fixed + flow * edge.slope
    for (const [sums, at, side] of [
      [out, edge.source, sources],
      [into, edge.sink, sinks],
    ] as const) {
      for (const node of new Set([at, side[at]?.parent ?? at])) {
        const sum = sums[node]
        if (sum) Object.assign(sum, { flow: sum.flow + flow, orders: sum.orders + orders })
      }
    }
    groups.forEach((group, at) => {
      if (group.edges.includes(index)) left[at] = (left[at] ?? 0n) - orders
    })
  }
  if (count > BigInt(maxOrders) || left.some((rest) => rest < 0n)) return null
  const ends = [
    ...sources.map((node, i) => ({ node, flow: 0n, orders: 0n, ...out[i] })),
    ...sinks.map((node, i) => ({ node, flow: 0n, orders: 0n, ...into[i] })),
  ]
  for (const { node, flow, orders } of ends) {
    if (flow + (orders > 1n ? (orders - 1n) * (node.perOrder ?? 0n) : 0n) > node.most) return null
    objective -= node.reward * (flow < node.want ? flow : node.want)
  }
  return objective
}
