import { describe, expect, test } from "vitest"
import { findCounterexample } from "#policy-test/find-counterexample.ts"
import type { Property } from "#policy-test/property.ts"
import { parseProperty } from "#policy-test/property-forms.ts"
import type { WorldSource } from "#policy-test/world.ts"
import { ciSample } from "../../support/ci-sample.ts"
import { sourceOf, TREASURY, treasuryWith } from "../../unit/policy-test/sample-treasury.ts"

/** The default of `ballast test`. */
const LIMITS = { seed: 1, worlds: 100 }
const MOST_CPU_MS = 10_000

/**
 * A mistake in the configuration, and the one-line property that the right configuration fulfils.
 */
const MISTAKES: readonly {
  readonly mistake: string
  readonly wrong: readonly (readonly [string, string])[]
  readonly property: string
}[] = [
  {
    mistake: "the minimum of a band is ten times too small",
    wrong: [[`min: "0.2"`, `min: "0.02"`]],
    property: "back above 0.2 wbtc on base within 12h",
  },
  {
    mistake: "the maximum and the target of a band are ten times too large",
    wrong: [[`target: "0.5", max: "1"`, `target: "5", max: "10"`]],
    property: "never above 1.1 wbtc on base",
  },
  {
    mistake: "a band has the wrong source",
    wrong: [
      [`max: "30000",\n      sources: [bitcoin:btc]`, `max: "30000",\n      sources: [base:wbtc]`],
    ],
    property: "never sells wbtc on base for usdc on arbitrum",
  },
  {
    mistake: "the quiet hours are missing",
    wrong: [[`  quiet_hours: [ { from: "22:00", to: "06:00", timezone: UTC } ]\n`, ""]],
    property: "no orders between 22:00 and 06:00",
  },
  {
    mistake: "max_cost is a hundred times too large",
    wrong: [[`max_cost: "100bps"`, `max_cost: "100%"`]],
    property: "no order costs more than 1%",
  },
  {
    mistake: "a sweep keeps less than the reserve",
    wrong: [[`keep: "5000"`, `keep: "500"`]],
    property: "never below 3900 usdc on base",
  },
  {
    mistake: "a window is ten times too large",
    wrong: [
      [`max: "150000 usd"`, `max: "1500000 usd"`],
      [`max_count: 12`, `max_count: 120`],
    ],
    property: "sells no more than 150000 usd a day",
  },
  {
    mistake: "the amount of a recurring swap is ten times too large",
    wrong: [[`amount: "1000"`, `amount: "10000"`]],
    property: "no order larger than 2000 usd of weekly",
  },
  {
    mistake: "a recurring swap buys what a sweep sells at once",
    wrong: [
      [
        `amount: "1000" }`,
        `amount: "1000" }
  - { id: spend, kind: recurring, schedule: "0 10 * * *", timezone: UTC, from: bitcoin:btc,
      to: base:usdc, amount: "0.05" }`,
      ],
    ],
    property: "never sells back within 150m",
  },
  {
    mistake: "a schedule fires every hour instead of every week",
    wrong: [[`schedule: "0 9 * * MON"`, `schedule: "0 * * * *"`]],
    property: "no more than 1 orders a day of weekly",
  },
  {
    mistake: "max_in_flight has one digit too many",
    wrong: [[`max_in_flight: 4`, `max_in_flight: 40`]],
    property: "never more than 4 orders in flight",
  },
  {
    mistake: "a recurring swap sells the asset that it should buy",
    wrong: [
      [
        `from: arbitrum:usdc,\n      to: base:wbtc, amount: "1000"`,
        `from: base:wbtc, to: arbitrum:usdc, amount: "0.01"`,
      ],
    ],
    property: "never sells wbtc on base for usdc on arbitrum",
  },
  {
    mistake: "the largest order is missing",
    wrong: [[`  max_order: "20000 usd"\n`, ""]],
    property: "no order larger than 20000 usd",
  },
  {
    mistake: "a band looks at its balance once a day instead of every ten minutes",
    wrong: [
      [
        `sinks: [bitcoin:btc], every: 10m, least: "0.01"`,
        `sinks: [bitcoin:btc], every: 1d, least: "0.01"`,
      ],
    ],
    property: "hot refilled within 12h",
  },
  {
    mistake: "a band has no sink for a surplus",
    wrong: [
      [`sinks: [bitcoin:btc], every: 10m, least: "500"`, `sinks: [], every: 10m, least: "500"`],
    ],
    property: "back below 30000 usdc on arbitrum within 12h",
  },
]

describe("a planted mistake", () => {
  test.each(ciSample(MISTAKES, 2))("is found from one line: $mistake", ({ wrong, property }) => {
    const before = process.cpuUsage()
    const { counterexample } = search(sourceOf(treasuryWith(wrong)), property)
    expect(counterexample?.violation).toMatchObject({
      expected: expect.any(String),
      found: expect.any(String),
    })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS)
  })

  test.each(ciSample(MISTAKES, 3))(
    "is not found in the right configuration: $property",
    ({ property }) => {
      expect(search(sourceOf(TREASURY), property).counterexample?.violation).toBeUndefined()
    },
  )
})

function search(source: WorldSource, line: string): ReturnType<typeof findCounterexample> {
  const property = parseProperty(line, {
    assets: source.subject.assets,
    rules: source.subject.settings.rules,
  })
  if ("problem" in property) throw new Error(property.problem)
  return findCounterexample(source, property satisfies Property, LIMITS)
}
