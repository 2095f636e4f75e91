import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Simulation } from "../../../web/answers.ts"
import { changeText, fileText, ruleKeysOf, sliderOf } from "../../../web/rules/rule-changes.ts"
import type { RuleFields } from "../../../web/rules/rule-sentence.ts"
import { compareSubjects, verdictOf } from "../../../web/rules/try-verdict.ts"

const ASSET = parseAssetId("a:x")
const KNOWN = { amountOf: (units: bigint | string) => String(Number(units) / 1e8) }
const keysOf = (fields: object): Readonly<Record<string, string>> =>
  // CAST: the keys need the fields of the kind.
  Object.fromEntries(
    ruleKeysOf({ id: "r", ...fields } as unknown as RuleFields, KNOWN).map(({ key, text }) => [
      key,
      text,
    ]),
  )

test.each([
  [
    {
      kind: "band",
      asset: "a:x",
      minUnits: "20000000",
      targetUnits: "90000000",
      maxUnits: "100000000",
      leastUnits: null,
      maxCost: { kind: "share", bps: "60" },
    },
    { min: "0.2", target: "0.9", max: "1", least: "", max_cost: "60bps" },
  ],
  [
    { kind: "sweep", from: "a:x", keepUnits: "0", leastUnits: "1000000", maxCost: null },
    { keep: "0", least: "0.01", max_cost: "" },
  ],
  [
    { kind: "weights", toleranceBps: "250", maxCost: { kind: "fiat", fiat: "400000" } },
    { tolerance: "2.5%", max_cost: "0.4 usd" },
  ],
  [
    { kind: "recurring", from: "a:x", amount: { kind: "units", units: "100000" } },
    { amount: "0.001", max_cost: "" },
  ],
  [
    { kind: "recurring", from: "a:x", amount: { kind: "fiat", fiat: "5000000" } },
    { amount: "5 usd", max_cost: "" },
  ],
  [
    { kind: "recurring", from: "a:x", amount: { kind: "share", bps: "1000" } },
    { amount: "10%", max_cost: "" },
  ],
  [{ kind: "unheard" }, {}],
])("the keys of a rule have the texts of the file: %j", (fields, expected) => {
  expect(keysOf(fields)).toEqual(expected)
})

test("only what differs from the file is asked for and copied", () => {
  const keys = [
    { key: "min", label: "Refill below", text: "0.2" },
    { key: "max", label: "Drain above", text: "1" },
  ]
  const typed = { min: " 0.3 ", max: "1" }
  expect(changeText(keys, typed)).toBe("min=0.3")
  expect(fileText("hot", keys, typed)).toBe('  - id: hot\n    min: "0.3"')
  expect(changeText(keys, { min: "" })).toBe("")
})

test.each([
  ["0.9", 0.5, "0.5", 1.8],
  ["1.25", 1.5, "1.5", 2.5],
  ["60bps", 45.24, "45.2bps", 120],
  ["5 usd", 4, "4 usd", 10],
  ["2000", 1990, "1990", 4000],
])("a slider of %s has the unit, and a step of two digits", (text, value, given, most) => {
  expect(sliderOf(text)?.textOf(value)).toBe(given)
  expect(sliderOf(text)?.most).toBe(most)
})

test.each(["", "0", "all"])("%j has no slider", (text) => expect(sliderOf(text)).toBe(null))

function assetOf<T>(units: T) {
  return {
    lowestUnits: units,
    finalUnits: units,
    meanFiat: units,
    unservedUnits: units,
    unservedSeeds: 0,
  }
}

/** `cost` in usd. */
function subject(moves: number, cost: number, outsideBps: number) {
  const same = <T>(value: T) => ({ p5: value, p50: value, p95: value })
  const fiat = same(String(Math.round(cost * 1e6)))
  const summary = {
    moves: same(moves),
    completed: same(moves),
    refunded: same(0),
    volumeFiat: fiat,
    swapFeesFiat: fiat,
    networkFeesFiat: same("0"),
    feesFiat: fiat,
    feesHundredthBps: same("3240"),
    assets: [{ asset: ASSET, ...assetOf(same(String(moves * 10_000_000))) }],
    rules: [{ rule: "hot", outsideBps: same(outsideBps), belowBps: same(0), aboveBps: same(0) }],
  }
  return { name: "", summary, costs: [], swapDays: [] }
}
type Made = ReturnType<typeof subject>
const found = (now: Made, then: Made, cheaper: "first" | "second" | null): Simulation => ({
  seeds: { first: 1, count: 5 },
  scenario: { days: 30 },
  subjects: [now, then],
  comparison: { cheaper, steadier: null },
  plots: [{ asset: ASSET, subjects: [] }],
})

test.each([
  [
    found(subject(10, 20, 90), subject(7, 15.5, 140), "second"),
    30,
    "3 fewer swaps and $4.50 less cost in 30 days, $30.00 less held; the rule is off its goal " +
      "1.40% of the time instead of 0.90%.",
  ],
  [
    found(subject(10, 20, 90), subject(11, 21, 90), null),
    90,
    "1 more swap and $1.00 more cost in 30 days, $10.00 more held; the rule is off its goal " +
      "0.90% of the time, as now. The runs do not agree which is cheaper. The rules look too " +
      "often to simulate 90 days within a minute, so this is of 30 days.",
  ],
  [
    found(subject(3, 2, 0), subject(3, 2, 0), null),
    30,
    "As many swaps and the same cost in 30 days; the rule is off its goal 0.00% of the time, as " +
      "now.",
  ],
])("the verdict is a sentence", (simulation, asked, sentence) => {
  expect(verdictOf(simulation, "hot", asked)).toBe(sentence)
})

test("the figures stand side by side with their difference, and a kind without a goal has none", () => {
  const simulation = found(subject(10, 20, 90), subject(7, 15.5, 140), "second")
  const rows = compareSubjects(simulation, "hot", KNOWN)
  expect(rows[0]).toEqual({ name: "Swaps", now: "10", changed: "7", difference: "▾ 3" })
  expect(rows.find(({ name }) => name === "Cost")).toMatchObject({ difference: "▾ $4.50" })
  expect(rows.find(({ name }) => name === "Cost of what moved")).toMatchObject({ now: "32.4 bps" })
  expect(rows.slice(-3)).toMatchObject([
    { name: "Time off its goal", difference: "▴ 0.50%" },
    { name: "Mean value of X held", now: "$100.00", changed: "$70.00", difference: "▾ $30.00" },
    { name: "Lowest X, 19 of 20 runs", now: "1", changed: "0.7", difference: "▾ 0.3" },
  ])
  expect(rows.find(({ name }) => name === "Refunded")).toMatchObject({ difference: "same" })
  expect(compareSubjects(simulation, "weekly", KNOWN).map(({ name }) => name)).not.toContain(
    "Time off its goal",
  )
})
