import { createRequire } from "node:module"
import fc from "fast-check"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  evaluateFlow,
  type FlowEdge,
  type FlowNode,
  type FlowProblem,
} from "#policy/planner/flow-problem.ts"
import { relaxFlow } from "#policy/planner/relax.ts"
import { evaluateOrders } from "../../../../src/engine/rules/solver/evaluate-orders.ts"
import type { Model } from "../../../../src/engine/rules/solver/order-model.ts"
import { searchOrders } from "../../../../src/engine/rules/solver/search-orders.ts"
import { Simplex } from "../../../../src/engine/rules/solver/simplex.ts"
import { toMilp } from "../../../../src/engine/rules/solver/to-milp.ts"

const USD = 10n ** 24n
const RATE = 10n ** 12n
const COST = Number(USD * RATE)

const node = (parents: number): fc.Arbitrary<FlowNode> =>
  fc
    .record({
      want: fc.integer({ min: 0, max: 12 }),
      spare: fc.integer({ min: 0, max: 8 }),
      reward: fc.constantFrom(0n, 100n, 300n),
      perOrder: fc.constantFrom(0n, 0n, 1n),
      parent: fc.constantFrom(...(parents > 0 ? [undefined, 0] : [undefined])),
    })
    .map(({ want, spare, reward, perOrder, parent }) => ({
      want: BigInt(want * 100) * USD,
      most: BigInt((want + spare) * 100) * USD,
      reward: (reward * RATE) / 10_000n,
      perOrder: perOrder * 100n * USD,
      ...(parent === undefined ? {} : { parent }),
    }))

const edgeOf = (nodes: number): fc.Arbitrary<FlowEdge> =>
  fc
    .record({
      source: fc.nat(nodes - 1),
      sink: fc.nat(nodes - 1),
      lo: fc.integer({ min: 1, max: 5 }),
      wider: fc.integer({ min: 0, max: 8 }),
      more: fc.integer({ min: 0, max: 8 }),
      fixed: fc.integer({ min: 0, max: 12 }),
      slope: fc.integer({ min: 0, max: 120 }),
    })
    .map(({ source, sink, lo, wider, more, fixed, slope }) => ({
      source,
      sink,
      lo: BigInt(lo * 100) * USD,
      hi: BigInt((lo + wider) * 100) * USD,
      most: BigInt((lo + wider + more) * 100) * USD,
      fixed: BigInt(fixed) * USD * RATE,
      slope: (BigInt(slope) * RATE) / 10_000n,
    }))

const small: fc.Arbitrary<FlowProblem> = fc.record({
  sources: fc.tuple(node(0), node(0), node(1)),
  sinks: fc.tuple(node(0), node(1), node(0)),
  edges: fc.array(edgeOf(3), { minLength: 1, maxLength: 5 }),
  maxOrders: fc.integer({ min: 1, max: 4 }),
  groups: fc.array(fc.record({ edges: fc.constant([0]), most: fc.nat(1) }), { maxLength: 1 }),
})

const medium: fc.Arbitrary<FlowProblem> = fc.record({
  sources: fc.array(node(0), { minLength: 7, maxLength: 7 }),
  sinks: fc.array(node(0), { minLength: 7, maxLength: 7 }),
  edges: fc.array(edgeOf(7), { minLength: 45, maxLength: 60 }),
  maxOrders: fc.integer({ min: 6, max: 12 }),
  groups: fc.constant([]),
})

/** The best plan over all numbers of orders, in exact arithmetic. */
function tryAll(problem: FlowProblem): number {
  let best = 0n
  const counts: number[] = []
  const visit = (left: number): void => {
    if (counts.length === problem.edges.length) {
      const relaxed = relaxFlow(
        problem,
        counts.map((count) => ({ min: count, max: count })),
      )
      const found = relaxed === null ? null : evaluateFlow(problem, relaxed.flows)
      if (found !== null && found.objective < best) best = found.objective
      return
    }
    for (let count = 0; count <= left; count += 1) {
      counts.push(count)
      visit(left - count)
      counts.pop()
    }
  }
  visit(problem.maxOrders)
  return Number(best) / COST
}

describe("the search for numbers of orders", () => {
  test("proves the same optimum as trying all numbers of orders", () => {
    let proven = 0
    fc.assert(
      fc.property(small, (problem) => {
        const found = searchOrders(problem, 1_000)
        if (found.exact) proven += 1
        const best = tryAll(problem)
        expect(found.objective).toBeGreaterThan(best - 2e-6)
        if (found.exact) expect(found.objective).toBeLessThan(best + 2e-6)
      }),
      { numRuns: 250, seed: 16 },
    )
    expect(proven).toBeGreaterThan(245)
  })
})

test("the search proves what HiGHS proves, where most of its nodes are cut off", async () => {
  const highs = await loadHighs()
  let proven = 0
  fc.assert(
    fc.property(medium, (problem) => {
      const found = searchOrders(problem, 1_000)
      if (!found.exact) return
      proven += 1
      const { ObjectiveValue: best } = highs.solve(toMilp(problem), {
        output_flag: false,
        mip_rel_gap: 0,
      })
      expect(Math.abs(found.objective - best)).toBeLessThan(1e-5)
    }),
    { numRuns: 30, seed: 24 },
  )
  expect(proven).toBeGreaterThan(25)
}, 180_000)

describe("a relaxation that ends before it is on its rows and in its ranges", () => {
  test("is infeasible only where the rows themselves confirm it", () => {
    // Two rows, x at most 1 and y at most 1, with an inverse that has an error: at this basis the
    // first row seems to be broken beyond repair.
    const program = new Simplex([1, 1], [5, 0])
    program.addRow({ columns: [0], values: [1], most: 1 })
    program.addRow({ columns: [1], values: [1], most: 1 })
    expect(program.solve()).toBe(0)
    const basis = program.save()
    basis.inverse[1] = -2
    program.restore(basis)
    expect(program.solve()).toBe(0)
    // x from 2 on is beyond the first row.
    program.setBounds(0, 2, 5)
    expect(program.solve()).toBe(Number.POSITIVE_INFINITY)
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  /**
   * The search's own program ends after so many pivots, at a point that is then moved by up to
   * `apart`. Its bound stays sound.
   */
  function endSearchEarly(pivots: number, apart: number, seed: number): void {
    const { solve } = Simplex.prototype
    let program: Simplex | null = null
    let state = seed
    vi.spyOn(Simplex.prototype, "solve").mockImplementation(function (
      this: Simplex,
      maxPivots,
      enough,
    ) {
      program ??= this
      if (program !== this) return solve.call(this, maxPivots, enough)
      const bound = solve.call(this, pivots, enough)
      // An even seed moves the point the same way each time.
      if (seed % 2 === 0) state = seed
      this.x = this.x.map((value) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        return value + apart * (state / 1_073_741_824 - 1)
      })
      return bound
    })
  }

  test("neither costs a plan, nor decides a negative number of orders, nor halves the same node " +
    "for ever", () => {
    fc.assert(
      fc.property(
        small,
        fc.nat(12),
        fc.constantFrom(0, 1e-5, 0.6, 2),
        fc.nat(1_000),
        (problem, pivots, apart, seed) => {
          const best = tryAll(problem)
          endSearchEarly(pivots, apart, seed)
          const found = searchOrders(problem, 5_000)
          vi.restoreAllMocks()
          expect(Math.min(...found.orders)).toBeGreaterThanOrEqual(0)
          expect(found.exact).toBe(true)
          expect(Math.abs(found.objective - best)).toBeLessThan(2e-6)
        },
      ),
      { numRuns: 200, seed: 16 },
    )
  }, 120_000)

  test("gives numbers of orders no cost", () => {
    // Two orders carry 10 to 50 each, and the sink takes 60.
    const edge = { lo: 10, size: 50, cap: 50, orders: 1, fixed: 1, unit: -0.01 }
    const model: Model = {
      edges: [
        { ...edge, nodes: [0, 2] },
        { ...edge, nodes: [1, 2] },
      ],
      nodes: [
        { edges: [0], want: 80, most: 80, reward: 0, perOrder: 0 },
        { edges: [1], want: 80, most: 80, reward: 0, perOrder: 0 },
        { edges: [0, 1], want: 60, most: 60, reward: 0, perOrder: 0 },
      ],
      limits: [],
    }
    expect(evaluateOrders(model, [1, 1])).toBeCloseTo(2 - 0.6, 9)
    const { solve } = Simplex.prototype
    vi.spyOn(Simplex.prototype, "solve").mockImplementation(function (this: Simplex) {
      return solve.call(this, 0)
    })
    expect(evaluateOrders(model, [1, 1])).toBeNull()
  })
})

describe("the program for HiGHS", () => {
  test("lets several orders carry more than is useful, because each carries its least", () => {
    // Two orders serve the want of 1500, and together they must carry 1800.
    const problem: FlowProblem = {
      sources: [{ want: 0n, most: 3_000n * USD, reward: 0n }],
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
      maxOrders: 2,
      groups: [],
    }
    return loadHighs().then((highs) => {
      const solved = highs.solve(toMilp(problem), { output_flag: false })
      expect(solved.ObjectiveValue).toBeCloseTo(tryAll(problem), 6)
      expect(solved.ObjectiveValue).toBeCloseTo(2 - 15, 6)
    })
  })
})

type Highs = { solve: (program: string, options: object) => { ObjectiveValue: number } }

function loadHighs(): Promise<Highs> {
  // CAST: the package exports its loader in this form; its ES module form has other types.
  return (createRequire(import.meta.url)("highs") as () => Promise<Highs>)()
}
