import { expect, test } from "vitest"
import { type Look, sumOutOfBand } from "./out-of-band.ts"

const look = (fromMs: number, lastMs: number, found: Look["found"], arrivedMs: number | null = null): Look => ({
  rule: "band",
  found,
  fromMs,
  lastMs,
  holdsUntilMs: lastMs + 20,
  arrivedMs,
})
const ALL = { fromMs: 0, untilMs: 10_000 }

test("counts from the look that found it outside to the one that found it inside again", () => {
  const looks = [look(0, 100, "inside"), look(110, 190, "outside"), look(200, 300, "inside")]
  expect(sumOutOfBand(looks, ALL)).toEqual([{ rule: "band", outOfBandMs: 90, knownMs: 300 }])
})

test("counts a balance as outside until the order that mends it has arrived, though the rule already counts it", () => {
  const looks = [look(100, 100, "outside", 450), look(110, 600, "inside")]
  expect(sumOutOfBand(looks, ALL)).toEqual([{ rule: "band", outOfBandMs: 350, knownMs: 500 }])
})

test("knows nothing of the time without a look, nor of one that could not read", () => {
  const looks = [look(0, 100, "outside"), look(1_000, 1_100, "inside"), look(1_110, 1_200, "unknown")]
  expect(sumOutOfBand(looks, ALL)).toEqual([{ rule: "band", outOfBandMs: 120, knownMs: 120 + 110 }])
})

test("takes what lies in the period only, and each rule by itself", () => {
  const looks = [look(0, 1_000, "outside"), { ...look(500, 700, "inside"), rule: "mix" }]
  expect(sumOutOfBand(looks, { fromMs: 600, untilMs: 800 })).toEqual([
    { rule: "band", outOfBandMs: 200, knownMs: 200 },
    { rule: "mix", outOfBandMs: 0, knownMs: 100 },
  ])
})
