import { describe, expect, test } from "vitest"
import { findCycles } from "#backtest/cycles/find-cycles.ts"
import { sourceOf, TREASURY } from "../../unit/policy-test/sample-treasury.ts"

const FIAT = 1_000_000n
const START = "rules:\n"
const END = "guards:\n"

/** The sample treasury with other rules. */
function find(...rules: readonly string[]) {
  const [before = "", rest = ""] = TREASURY.split(START)
  const after = rest.slice(rest.indexOf(END))
  const { subject, traits } = sourceOf(
    `${before}${START}${rules.map((rule) => `  - { ${rule} }\n`).join("")}${after}`,
  )
  return findCycles(subject, traits)
}
const names = (...rules: readonly string[]) => find(...rules).map((cycle) => cycle.rules)

const band = (id: string, asset: string, partner: string, more = "") =>
  `id: ${id}, kind: band, asset: ${asset}, min: "8000", target: "10000", max: "12000", ` +
  `sources: [${partner}], sinks: [${partner}], every: 10m${more}`
const MIX =
  `id: mix, kind: weights, weights: { "base:usdc": "50%", "arbitrum:usdc": "50%" }, tolerance: ` +
  `"5%", every: 1h`
const SWEEP = `id: sweep, kind: sweep, from: base:usdc, keep: "2000", to: arbitrum:usdc, every: 1h`
const BUY =
  `id: buy, kind: recurring, schedule: "0 9 * * *", timezone: UTC, from: base:usdc, to: ` +
  `bitcoin:btc, amount: "1000"`

describe("rules from both extremes", () => {
  test("that come to rest have no circle", () => {
    expect(
      names(band("a", "base:usdc", "arbitrum:usdc"), band("b", "arbitrum:usdc", "base:usdc")),
    ).toEqual([])
    expect(
      names(
        band("a", "base:usdc", "bitcoin:btc"),
        band("b", "arbitrum:usdc", "bitcoin:btc"),
        SWEEP,
      ),
    ).toEqual([])
    expect(names(MIX)).toEqual([])
    expect(names(BUY, MIX)).toEqual([])
  })

  test("that undo each other's work are named with their circle and its daily cost", () => {
    const [cycle, ...others] = find(MIX, SWEEP)
    expect(others).toEqual([])
    expect(cycle).toMatchObject({ rules: ["mix", "sweep"], isAlarmed: true })
    expect(cycle?.assets.toSorted()).toEqual(["arbitrum:usdc", "base:usdc"])
    // Each round sells some thousands twice, for a third of a percent; an hour or two pass for a
    // round, and the windows allow twelve orders a day.
    expect(cycle?.dailyFiat).toBeGreaterThan(50n * FIAT)
    expect(cycle?.dailyFiat).toBeLessThan(1_000n * FIAT)
  })

  test("are named where a rule on a schedule buys what another rule sells", () => {
    const sell = `id: sell, kind: sweep, from: bitcoin:btc, keep: "0.05", to: base:usdc, every: 1h`
    const [cycle] = find(BUY, sell)
    expect(cycle?.rules).toEqual(["buy", "sell"])
    // A thousand a day in each direction, for a third of a percent and the fixed costs.
    expect(cycle?.dailyFiat).toBeGreaterThan(5n * FIAT)
    expect(cycle?.dailyFiat).toBeLessThan(30n * FIAT)
    expect(names(BUY, band("float", "base:usdc", "bitcoin:btc"))).toEqual([["buy", "float"]])
    // The band sells only above its maximum, to which the other rule lifts the balance again and
    // again.
    const drain =
      `id: drain, kind: band, asset: base:usdc, min: "0", target: "10000", max: "10100", ` +
      "sinks: [bitcoin:btc], every: 1m"
    const fill =
      `id: fill, kind: recurring, schedule: "0 * * * *", timezone: UTC, from: bitcoin:btc, to: ` +
      `base:usdc, amount: "0.05"`
    expect(names(drain, fill)).toEqual([["drain", "fill"]])
    const back =
      `id: back, kind: recurring, schedule: "0 15 * * *", timezone: UTC, from: bitcoin:btc, ` +
      `to: base:usdc, amount: "0.01"`
    expect(names(BUY, back)).toEqual([["back", "buy"]])
  })

  test("that are evaluated once a day are given the time for three rounds", () => {
    const [cycle] = find(MIX.replace("every: 1h", "every: 1d"), SWEEP)
    expect(cycle?.rules).toEqual(["mix", "sweep"])
  })

  test("that are disabled count for nothing", () => {
    expect(names(MIX, `${SWEEP}, enabled: false`)).toEqual([])
  })

  test("may move an asset without an assumed price", () => {
    const { subject, traits } = sourceOf(
      TREASURY.replaceAll("arbitrum:usdc", "arbitrum:gold").replaceAll("every: 10m", "every: 1h"),
    )
    expect(findCycles(subject, traits).map((cycle) => cycle.rules)).toBeInstanceOf(Array)
  })
})
