import { describe, expect, test } from "vitest"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { createMarket } from "#backtest/world/sample-market.ts"
import {
  A,
  assetChoice,
  B,
  CHAINS,
  HOUR_MS,
  sampleChoices,
  sampleSubject,
  UNIT,
} from "./sample-subject.ts"

const STEPS = 20_000

describe("a market", () => {
  test("drifts by the exact amount for every length of a step", () => {
    for (const stepMs of [HOUR_MS, 7 * 60_000, 11 * HOUR_MS]) {
      const scenario = worldOf({ stepMs }, [assetChoice(A, 0n, -100n), assetChoice(B, 0n, 1n)])
      const market = createMarket(scenario, 1)
      const sums = new Map([A, B].map((id) => [id, 0n]))
      const steps = (11 * 24 * HOUR_MS * 7) / stepMs
      for (let step = 0; step < steps; step += 1)
        for (const [id, units] of market.sampleFlows()) sums.set(id, (sums.get(id) ?? 0n) + units)
      expect([...sums.values()]).toEqual([-7_700n, 77n])
    }
  })

  test("gives each asset its own flow, with the configured spread", () => {
    const scenario = worldOf({}, [
      assetChoice(A, 0n, 0n, 24n * UNIT),
      assetChoice(B, 0n, 0n, 24n * UNIT),
    ])
    const market = createMarket(scenario, 3)
    const draws = Array.from({ length: STEPS }, () => {
      const flows = market.sampleFlows()
      return [Number(flows.get(A) ?? 0n), Number(flows.get(B) ?? 0n)] as const
    })
    const spread = (24e6 / Math.sqrt(24)) ** 2
    const mean = (of: (draw: readonly [number, number]) => number): number =>
      draws.reduce((sum, draw) => sum + of(draw), 0) / STEPS
    expect(mean(([a]) => a * a) / spread).toBeCloseTo(1, 1)
    expect(mean(([, b]) => b * b) / spread).toBeCloseTo(1, 1)
    expect(mean(([a, b]) => a * b) / spread).toBeCloseTo(0, 1)
  })

  test("draws durations within their bounds, mostly about the typical one", () => {
    const scenario = worldOf({}, [])
    const market = createMarket(scenario, 3)
    const pair = { ...scenario.pairFor(A, B), duration: { least: 100, typical: 200, most: 900 } }
    const times = Array.from(
      { length: 5_000 },
      (_, at) => market.sampleOrder(A, B, at, pair).durationMs,
    )
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...times)).toBeLessThanOrEqual(900)
    // The mean of a triangular distribution is the mean of its corners.
    expect(times.reduce((a, b) => a + b) / times.length / 400).toBeCloseTo(1, 1)
  })

  test("lets orders fail at the configured rate", () => {
    const scenario = worldOf({ orders: { declinedPpm: 100_000n, refundedPpm: 300_000n } }, [])
    const market = createMarket(scenario, 3)
    const ends = Array.from(
      { length: 5_000 },
      (_, at) => market.sampleOrder(A, B, at, scenario.pairFor(A, B)).end,
    )
    expect(ends.filter((end) => end === "declined").length / 5_000).toBeCloseTo(0.1, 1)
    expect(ends.filter((end) => end === "refunded").length / 5_000).toBeCloseTo(0.3, 1)
  })
})

function worldOf(
  choices: Parameters<typeof sampleChoices>[0],
  assets: ReturnType<typeof assetChoice>[],
) {
  return deriveScenario(
    [sampleSubject([])],
    CHAINS,
    10,
    sampleChoices({ assets: new Map(assets), ...choices }),
  )
}
