import { expect, test } from "vitest"
import { toMilp } from "#engine/rules/solver/to-milp.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"

const UNIT = 10n ** 24n
/** A hundredth of a unit for each unit. */
const CENT = 10n ** 10n
const source = { want: 100n * UNIT, most: 120n * UNIT, reward: 2n * CENT, perOrder: UNIT }
const sink = { want: 80n * UNIT, most: 90n * UNIT, reward: CENT }
const edge = {
  lo: 2n * UNIT,
  hi: 30n * UNIT,
  most: 70n * UNIT,
  // A quarter of a unit: an amount times a rate.
  fixed: 10n ** 36n / 4n,
  slope: CENT / 2n,
}

/** Two assets below one window pay two sinks; nothing is wanted of the second source and sink. */
const PROBLEM: FlowProblem = {
  sources: [
    { ...source, parent: 2 },
    { want: 0n, most: 5n * UNIT, reward: CENT, parent: 2 },
    { want: 0n, most: 130n * UNIT, reward: 0n },
    { ...source, most: 7n * UNIT },
  ],
  sinks: [sink, { ...sink, want: 3n * UNIT, reward: 0n }],
  edges: [
    { ...edge, source: 0, sink: 0 },
    { ...edge, source: 0, sink: 1, hi: 200n * UNIT, most: 500n * UNIT },
    { ...edge, source: 1, sink: 1, hi: 2n * UNIT },
  ],
  maxOrders: 4,
  groups: [
    { edges: [0, 2], most: 3 },
    { edges: [], most: 1 },
    { edges: [1], most: 1_000_000 },
    { edges: [2], most: 999_999 },
  ],
}

const EXPECTED = [
  "Minimize",
  [
    " cost:",
    "+ 0.005000000000 f0",
    "+ 0.250000000000 n0",
    "+ 0.005000000000 f1",
    "+ 0.250000000000 n1",
    "+ 0.005000000000 f2",
    "+ 0.250000000000 n2",
    "- 0.020000000000 r_source0",
    "- 0.010000000000 r_sink0",
  ].join(" "),
  "Subject To",
  " c0: f0 - 30.000000000000 n0 <= 0",
  " c1: f0 - 2.000000000000 n0 >= 0",
  " c2: f1 - 90.000000000000 n1 <= 0",
  " c3: f1 - 2.000000000000 n1 >= 0",
  " c4: f2 - 2.000000000000 n2 <= 0",
  " c5: f2 - 2.000000000000 n2 >= 0",
  " c6: f0 + f1 + 1.000000000000 n0 + 1.000000000000 n1 <= 121.000000000000",
  " c7: f0 + f1 - r_source0 >= 0",
  " c8: f2 <= 5.000000000000",
  " c9: f0 + f1 + f2 <= 130.000000000000",
  " c10: f0 <= 90.000000000000",
  " c11: f0 - r_sink0 >= 0",
  " c12: f1 + f2 <= 90.000000000000",
  " c13: n0 + n1 + n2 <= 4",
  " c14: n0 + n2 <= 3",
  " c15: n2 <= 999999",
  "Bounds",
  " 0 <= f0 <= 70.000000000000",
  " 0 <= n0 <= 3",
  " 0 <= f1 <= 90.000000000000",
  " 0 <= n1 <= 1",
  " 0 <= f2 <= 4.000000000000",
  " 0 <= n2 <= 2",
  " 0 <= r_source0 <= 100.000000000000",
  " 0 <= r_sink0 <= 80.000000000000",
  "Generals",
  " n0 n1 n2",
  "End",
]

test("a problem of the planner as the solver reads it", () => {
  expect(toMilp(PROBLEM).split("\n")).toEqual(EXPECTED)
})

test("the least reward counts, and a part without a reward does not", () => {
  const [first, ...others] = PROBLEM.sources
  if (first === undefined) throw new Error("no source")
  const rewarded = (reward: bigint, want: bigint): readonly string[] => {
    const text = toMilp({ ...PROBLEM, sources: [{ ...first, reward, want }, ...others] })
    return text.split("\n").filter((line) => line.includes("r_source0"))
  }
  expect(rewarded(1n, 1n)).toEqual([
    expect.stringContaining("- 0.000000000001 r_source0"),
    " c7: f0 + f1 - r_source0 >= 0",
    " 0 <= r_source0 <= 0.000000000000",
  ])
  expect(rewarded(0n, 1n)).toEqual([])
  expect(rewarded(1n, 0n)).toEqual([])
})
