import { expect, test } from "vitest"
import { type RuleObservation, sumOutOfBand } from "./out-of-band.ts"

const observe = (
  fromMs: number,
  lastMs: number,
  found: RuleObservation["found"],
  arrivedMs: number | null = null,
): RuleObservation => ({
  rule: "band",
  found,
  fromMs,
  lastMs,
  holdsUntilMs: lastMs + 20,
  arrivedMs,
})
const ALL = { fromMs: 0, untilMs: 10_000 }

test("counts from the observation outside to the next observation inside", () => {
  const observations = [
    observe(0, 100, "inside"),
    observe(110, 190, "outside"),
    observe(200, 300, "inside"),
  ]
  expect(sumOutOfBand(observations, ALL)).toEqual([{ rule: "band", outOfBandMs: 90, knownMs: 300 }])
})

test(
  "counts a balance as outside until the order that corrects it has arrived, although the rule " +
    "counts it at once",
  () => {
    const observations = [observe(100, 100, "outside", 450), observe(110, 600, "inside")]
    expect(sumOutOfBand(observations, ALL)).toEqual([
      { rule: "band", outOfBandMs: 350, knownMs: 500 },
    ])
  },
)

test("leaves out time without an observation, and observations that could not read", () => {
  const observations = [
    observe(0, 100, "outside"),
    observe(1_000, 1_100, "inside"),
    observe(1_110, 1_200, "unknown"),
  ]
  expect(sumOutOfBand(observations, ALL)).toEqual([
    { rule: "band", outOfBandMs: 120, knownMs: 120 + 110 },
  ])
})

test("counts only the period, and each rule for itself", () => {
  const observations = [
    observe(0, 1_000, "outside"),
    { ...observe(500, 700, "inside"), rule: "mix" },
  ]
  expect(sumOutOfBand(observations, { fromMs: 600, untilMs: 800 })).toEqual([
    { rule: "band", outOfBandMs: 200, knownMs: 200 },
    { rule: "mix", outOfBandMs: 0, knownMs: 100 },
  ])
})

test("the observations may come in any order, and time after the last one until an arrival is known", () => {
  const observations = [
    { ...observe(300, 320, "inside"), rule: "mix" },
    observe(200, 300, "inside"),
    observe(110, 190, "outside"),
    observe(0, 100, "inside"),
    observe(500, 510, "unknown", 700),
  ]
  expect(sumOutOfBand(observations, ALL)).toEqual([
    { rule: "band", outOfBandMs: 80 + 10 + 200, knownMs: 320 + 200 },
    { rule: "mix", outOfBandMs: 0, knownMs: 20 },
  ])
})
