import { expect, test } from "vitest"
import { advise } from "#backtest/advise.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import type { Limits } from "#guards/limits.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  A,
  assetChoice,
  B,
  CHAINS,
  DAY_MS,
  HOUR_MS,
  sampleChoices,
  sampleSubject,
  UNIT,
} from "../../unit/backtest/sample-subject.ts"

const BAND: BandRule & { readonly everyMs: number } = {
  id: "hot",
  kind: "band",
  asset: A,
  minUnits: 1_000n * UNIT,
  targetUnits: 2_000n * UNIT,
  maxUnits: 5_000n * UNIT,
  sources: [B],
  sinks: [B],
  everyMs: HOUR_MS,
}
const DAILY_WINDOW = {
  perMs: 3 * DAY_MS,
  max: { kind: "fiat" as const, fiat: 300_000_000n },
  maxFeesFiat: null,
  maxCount: null,
}

test("each sentence compares the configuration with one change, over the same flows", () => {
  const found = adviseOn([BAND])
  const { own, advice } = found
  expect(advice.map(({ change }) => change)).toEqual([
    "hot: min 800 instead of 1000",
    "hot: min 1200 instead of 1000",
    "hot: sinks without two:usdb",
  ])
  expect(own.ordersPerWeek).toBeGreaterThan(0)
  const [lower, higher, sink] = advice
  expect(sink?.sentence).toBe("Rule hot never used two:usdb.")
  expect(lower?.sentence).toMatch(/^hot with min 800 instead of 1000 (saves|costs) [\d.]+ usd a /)
  expect(lower?.sentence).toMatch(/ is outside the bounds [\d.]+ % of the time instead of /)
  // Smaller steps from the target to the bound are more orders.
  expect(higher?.with.ordersPerWeek).toBeGreaterThan(lower?.with.ordersPerWeek ?? 99)
  // The same arguments give the same answer.
  expect(adviseOn([BAND])).toEqual(found)
})

test("a rule without orders, and a window that stops some", () => {
  const idle: TimedRule = {
    id: "idle",
    kind: "sweep",
    from: A,
    keepUnits: 1_000_000n * UNIT,
    to: B,
    everyMs: HOUR_MS,
  }
  const sentences = adviseOn([BAND, idle], { windows: [DAILY_WINDOW] }).advice.map(
    ({ sentence }) => sentence,
  )
  expect(sentences).toContain("Rule idle never placed an order.")
  expect(sentences.at(-1)).toMatch(/^The window of 72 h stopped \d+ of the needs \(\d+ %\)\. /)
  expect(sentences.at(-1)).toContain(" Without the window of 72 h the configuration ")
  const free = adviseOn([BAND], { windows: [{ ...DAILY_WINDOW, max: null, perMs: DAY_MS }] })
  expect(free.advice.at(-1)?.sentence).toBe("The window of 24 h stopped nothing.")
})

/** Three weeks in which 130 units leave each day. */
function adviseOn(rules: readonly TimedRule[], limits: Partial<Limits> = {}) {
  const subject = sampleSubject(rules, limits)
  const assets = new Map([assetChoice(A, 2_000n * UNIT), assetChoice(B, 100_000n * UNIT)])
  const flows = Array.from({ length: 21 }, (_, day) => ({
    atMs: day * DAY_MS + HOUR_MS / 2,
    asset: A,
    units: -130n * UNIT,
  }))
  const scenario = deriveScenario([subject], CHAINS, 21, sampleChoices({ assets, flows }))
  return advise(subject, scenario, 1)
}
