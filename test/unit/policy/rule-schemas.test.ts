import { describe, expect, test } from "vitest"
import { bandSchema } from "#policy/rules/band/band-schema.ts"
import { gas } from "#policy/rules/gas/gas.ts"
import { recurringSchema } from "#policy/rules/recurring/recurring-schema.ts"
import { buildLeast, buildShare } from "#policy/rules/rule-amounts.ts"
import { buildRuleKeys } from "#policy/rules/rule-keys.ts"
import { sweepSchema } from "#policy/rules/sweep/sweep-schema.ts"
import { weightsSchema } from "#policy/rules/weights/weights-schema.ts"

const RULES = {
  band: { asset: "a:btc", min: "1", target: "2", max: "3", sources: ["a:usd"] },
  sweep: { from: "a:btc", to: "a:usd", keep: "1" },
  weights: { weights: { "a:btc": "60%", "a:usd": "40%" }, tolerance: "5%" },
  gas: { asset: "a:btc", sources: ["a:usd"] },
  recurring: { schedule: "0 9 * * *", from: "a:btc", to: "a:usd", amount: "1" },
} as const
const KINDS = Object.keys(RULES) as (keyof typeof RULES)[]

const SCHEMAS = {
  band: bandSchema,
  sweep: sweepSchema,
  weights: weightsSchema,
  gas: gas.schema,
  recurring: recurringSchema,
}

function fits(kind: keyof typeof RULES, over: object): boolean {
  const rule = { id: "one", kind, ...RULES[kind], ...over }
  return SCHEMAS[kind].safeParse(rule).success
}

const SHARED: readonly (readonly [object, boolean])[] = [
  [{}, true],
  [{ id: "" }, false],
  [{ id: "-a" }, false],
  [{ id: "a b" }, false],
  [{ id: "A_1.b-c" }, true],
  [{ id: "a".repeat(64) }, true],
  [{ id: "a".repeat(65) }, false],
  [{ enabled: false }, true],
  [{ enabled: "no" }, false],
  [{ priority: 1_000 }, true],
  [{ priority: 1_001 }, false],
  [{ priority: -1_000 }, true],
  [{ priority: -1_001 }, false],
  [{ priority: 0.5 }, false],
  [{ max_cost: "1%" }, true],
  [{ max_cost: "5 usd" }, true],
  [{ max_cost: "5" }, false],
  [{ unknown: 1 }, false],
]

describe.each(KINDS)("a rule of the kind %s", (kind) => {
  test.each(SHARED)("with %j: %s", (over, expected) => {
    expect(fits(kind, over)).toBe(expected)
  })
})

test.each(["band", "sweep", "weights"] as const)(
  "a %s is evaluated once a second at most",
  (kind) => {
    expect(fits(kind, { every: "1s" })).toBe(true)
    expect(fits(kind, { every: "1000ms" })).toBe(fits(kind, { every: "1s" }))
    expect(fits(kind, { every: "999ms" })).toBe(false)
    expect(fits(kind, { every: "0s" })).toBe(false)
  },
)

test.each(["band", "sweep", "recurring"] as const)(
  "a %s is patient for twelve hours at least",
  (kind) => {
    expect(fits(kind, { patience: "12h" })).toBe(true)
    expect(fits(kind, { patience: "43199s" })).toBe(false)
  },
)

test("an occurrence is delayed, and may begin late, by a second at least", () => {
  for (const key of ["jitter", "window"]) {
    expect(fits("recurring", { [key]: "1s" })).toBe(true)
    expect(fits("recurring", { [key]: "0s" })).toBe(false)
  }
})

test.each([
  ["band", { target: "edge" }, false],
  ["band", { move: "edge" }, true],
  ["band", { move: "values" }, true],
  ["weights", { move: "edge" }, true],
  ["weights", { move: "values" }, false],
  ["recurring", { catch_up: "all" }, true],
  ["recurring", { catch_up: "none" }, false],
] as const)("a %s with %j: %s", (kind, over, expected) => {
  expect(fits(kind, over)).toBe(expected)
})

test("the keys of every kind are built as the file states them", () => {
  const file = { id: "a", kind: "band", enabled: true, max_cost: null, priority: 0 }
  expect(buildRuleKeys(file)).toEqual({ id: "a", enabled: true, maxCost: null })
  const other = { ...file, enabled: false, max_cost: "10bps", priority: -1 }
  const built = { id: "a", enabled: false, maxCost: { kind: "share", bps: 10n }, priority: -1 }
  expect(buildRuleKeys(other)).toEqual(built)
})

test.each([
  [null, 1n],
  ["0", 1n],
  ["0.01", 1n],
  ["0.02", 2n],
  ["3", 300n],
])("the smallest order of %j is %s units", (text, units) => {
  expect(buildLeast(text, 2)).toBe(units)
})

test("a share is built in basis points", () => {
  expect(buildShare("10%")).toBe(1_000n)
  expect(buildShare("60bps")).toBe(60n)
  expect(() => buildShare("5 usd")).toThrow("the share 5 usd")
})

test.each([
  ["band", { move: "target", sinks: [], least: null, max_cost_when_empty: null, every: 60_000 }],
  ["sweep", { destination: null, least: null, patience: null }],
  ["weights", { move: "target" }],
  ["gas", { patience: null }],
  ["recurring", { timezone: "UTC", catch_up: "skip", jitter: null, window: null }],
] as const)("a %s has these values where the file states none", (kind, own) => {
  const read = SCHEMAS[kind].parse({ id: "one", kind, ...RULES[kind] })
  expect(read).toMatchObject({ enabled: true, priority: 0, max_cost: null, ...own })
})
