import fc from "fast-check"
import { expect, test } from "vitest"
import { evaluateOrders } from "./evaluate-orders.ts"
import type { Edge, Model } from "./order-model.ts"
import { OrderPrices } from "./order-prices.ts"
import { createProgram } from "./order-program.ts"
import { Simplex } from "./simplex.ts"

/** Three sources (nodes 0 to 2) and three sinks (nodes 3 to 5). */
const edge: fc.Arbitrary<Edge> = fc
  .record({
    lo: fc.integer({ min: 1, max: 5 }),
    wider: fc.integer({ min: 0, max: 8 }),
    orders: fc.integer({ min: 0, max: 2 }),
    fixed: fc.integer({ min: 0, max: 12 }),
    slope: fc.integer({ min: -300, max: 100 }),
    source: fc.nat(2),
    sink: fc.nat(2),
  })
  .map(({ lo, wider, orders, fixed, slope, source, sink }) => ({
    lo: lo * 100,
    size: (lo + wider) * 100,
    cap: orders * (lo + wider) * 100 - (orders > 1 ? 50 : 0),
    orders,
    fixed,
    unit: slope / 10_000,
    nodes: [source, 3 + sink],
  }))

const model: fc.Arbitrary<Model> = fc
  .record({
    edges: fc.array(edge, { minLength: 1, maxLength: 6 }),
    wants: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(8), fc.constantFrom(0, 0.01)),
      {
        minLength: 6,
        maxLength: 6,
      },
    ),
    most: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ edges, wants, most }) => ({
    edges,
    nodes: wants.map(([want, spare, reward], node) => ({
      edges: edges.flatMap(({ nodes }, at) => (nodes.includes(node) ? [at] : [])),
      want: want * 100,
      most: (want + (reward > 0 ? spare : 0)) * 100,
      reward,
      perOrder: 0,
    })),
    limits: [{ edges: edges.map((_, at) => at), most }],
  }))

test(
  "no numbers of orders cost less than the prices of the relaxation say, and none of a better " +
    "plan is dropped",
  () => {
    let dropped = 0
    fc.assert(
      fc.property(model, fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), (of, drawn) => {
        const { edges } = of
        const counts = Int16Array.from(edges, ({ orders }, at) => Math.min(orders, drawn[at] ?? 0))
        if (counts.reduce((sum, count) => sum + count, 0) > (of.limits[0]?.most ?? 0)) return
        const cost = evaluateOrders(of, counts)
        if (cost === null) return
        const { program, columns } = createProgram(of)
        // Rows that count the orders of an edge, as the search adds them.
        const rows = edges.map(({ orders }, at) =>
          program.addRow(
            { columns: [at, edges.length + at], values: [1, 1], most: orders },
            orders,
          ),
        )
        program.solve()
        const prices = new OrderPrices(edges)
        prices.take(program, (at) => columns + (rows[at] ?? 0))
        const least = edges.reduce(
          (sum, _, at) => sum + prices.extra(at, counts[at] ?? 0),
          prices.bound,
        )
        expect(least).toBeLessThan(cost + 1e-6)
        const min = new Int16Array(edges.length)
        const max = Int16Array.from(edges, ({ orders }) => orders)
        expect(prices.narrow(min, max, cost + 1e-6)).toBe(true)
        edges.forEach(({ orders }, at) => {
          dropped += (min[at] ?? 0) + orders - (max[at] ?? 0)
          expect(counts[at]).toBeGreaterThanOrEqual(min[at] ?? 0)
          expect(counts[at]).toBeLessThanOrEqual(max[at] ?? 0)
        })
      }),
      { numRuns: 1_000, seed: 16 },
    )
    // Prices that drop nothing would be of no use.
    expect(dropped).toBeGreaterThan(50)
  },
)

const change = fc.record({
  bounds: fc.array(fc.tuple(fc.nat(7), fc.nat(2), fc.nat(3)), { maxLength: 4 }),
  row: fc.option(
    fc.tuple(
      fc.array(fc.integer({ min: -3, max: 4 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
    ),
  ),
  drops: fc.boolean(),
})

test("a program that starts from its last basis finds the same bound as a new one", () => {
  let finite = 0
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 5 }), { minLength: 8, maxLength: 8 }),
      fc.array(change, { minLength: 3, maxLength: 12 }),
      (cost, changes) => {
        const upper = cost.map(() => 3)
        const warm = new Simplex(cost, upper, 2)
        const bounds = cost.map((): [number, number] => [0, 3])
        for (const { bounds: set, row, drops } of changes) {
          for (const [at, low, wide] of set) bounds[at] = [low, low + wide]
          if (row !== null) {
            const [values, most] = row
            warm.addRow({ columns: values.map((_, at) => at), values, most })
          }
          const cold = new Simplex(cost, upper)
          for (const program of [warm, cold])
            for (const [at, [low, high]] of bounds.entries()) program.setBounds(at, low, high)
          for (const of of warm.rows) cold.addRow(of)
          const bound = warm.solve()
          expect(bound).toBeCloseTo(cold.solve(), 6)
          if (bound < Number.POSITIVE_INFINITY) finite += 1
          // A row whose slack is in the basis does not hold the bound up.
          if (drops && bound < Number.POSITIVE_INFINITY) {
            warm.dropRows(() => true)
            expect(warm.solve()).toBeCloseTo(bound, 6)
          }
        }
      },
    ),
    { numRuns: 300, seed: 16 },
  )
  expect(finite).toBeGreaterThan(500)
})

test("a program repairs an inverse in which rounding errors have added up", () => {
  const build = (): Simplex => {
    const program = new Simplex([-3, -2, -4], [5, 5, 5])
    for (const [values, most] of [
      [[1, 2, 1], 7],
      [[2, 1, 3], 9],
    ] as const)
      program.addRow({ columns: [0, 1, 2], values, most })
    return program
  }
  const program = build()
  const other = build()
  const bound = other.solve()
  program.solve()
  const basis = program.save()
  program.restore({
    ...basis,
    inverse: basis.inverse.map((value, at) => value * (1 + (at % 3) / 1_000)),
  })
  expect(program.solve()).toBeCloseTo(bound, 9)
})
