import { describe, expect, test } from "vitest"
import { findCycles } from "#policy/find-cycles.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { A, B, bandOf, C, FIAT, type Id, share } from "./sample-plan.ts"

const assets = [A, B, C].map((id) => ({ id, decimals: 6, priceFiat: FIAT }))
const units = (whole: bigint): bigint => whole * FIAT
const band = (id: string, asset: Id, partners: Id[]): TimedRule => ({
  ...bandOf(id, asset, [units(10_000n), units(12_000n), units(20_000n)], { sources: partners, sinks: partners }),
  everyMs: 60_000,
})
const mix: TimedRule = {
  ...{ id: "mix", kind: "weights", toleranceBps: 500n, everyMs: 3_600_000 },
  weights: [
    { asset: A, bps: 5_000n },
    { asset: B, bps: 5_000n },
  ],
}
const sweep: TimedRule = { id: "sweep", kind: "sweep", from: A, to: B, keepUnits: units(2_000n), everyMs: 60_000 }
const find = (...rules: TimedRule[]) => findCycles(rules, assets, share(100n)).map(({ rules: names }) => names)

describe("rules from both extremes", () => {
  test("that come to rest have no circle", () => {
    expect(find(band("a", A, [B]), band("b", B, [A]))).toEqual([])
    expect(find(band("a", A, [C]), band("b", B, [C]), sweep)).toEqual([])
    expect(find(mix)).toEqual([])
  })

  test("that undo each other's work are named with their circle and its daily cost", () => {
    const [cycle] = findCycles([mix, sweep], assets, share(100n))
    expect(cycle?.rules).toEqual(["mix", "sweep"])
    expect(cycle?.assets.toSorted()).toEqual([A, B])
    // Each round sells some thousands twice, for a fifth of a percent and half a unit of currency; two hours pass for a round.
    expect(cycle?.dailyFiat).toBeGreaterThan(100n * FIAT)
    expect(cycle?.dailyFiat).toBeLessThan(1_000n * FIAT)
  })

  test("that are disabled count for nothing", () => {
    expect(find(mix, { ...sweep, enabled: false })).toEqual([])
  })
})
