import { describe, expect, test } from "vitest"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import type { SeedResult } from "#backtest/results/measure.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
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
} from "./sample-subject.ts"

/** Each of these guards stopped an order of the daemon, and let that of a backtest pass. */
const COIN = parseAssetId("two:eth")
const GAS = new Map(
  CHAINS.map(({ chain }) => [chain, { gasUnits: 5n, depositFeeUnits: 2n, refundFeeUnits: 1n }]),
)

describe("a backtest refuses as the daemon does", () => {
  test("an order of a token while the balance of its chain's coin cannot be read", () => {
    const faults = [{ kind: "balance" as const, asset: COIN, fromMs: 0, untilMs: 10 * DAY_MS }]
    const run = runOnce(withCoin(sampleSubject([daily()])), { faults })
    expect(run.moves).toBe(0)
    expect(codesOf(run)).toEqual(["funds.unreadable"])
  })

  test("an order for which the minimum of a coin that is no asset would not stay", () => {
    const subject = sampleSubject([daily()], {}, { way: "onchain" })
    const settings = { ...subject.settings, minNative: new Map([[toChainId("two"), 1_000n]]) }
    const run = runOnce({ ...subject, settings }, {}, { chains: GAS })
    expect(run.moves).toBe(0)
    expect(codesOf(run)).toEqual(["policy.gas"])
  })

  test("an order whose secret the service would choose, above guards.max_service_secret", () => {
    const subject = sampleSubject([daily()])
    const maxServiceSecret = { kind: "fiat" as const, fiat: 500_000n }
    const ownSecrets = { keeper: null, modeOf: () => "service" as const, maxServiceSecret }
    const run = runOnce({ ...subject, settings: { ...subject.settings, ownSecrets } })
    expect(run.moves).toBe(0)
    expect(codesOf(run)).toEqual(["limit.service_secret"])
  })

  test("an order that loses too many units of two assets of one peg", () => {
    const priced = new Set([A, B])
    const subject = { ...sampleSubject([daily()]), priced, findPeg: () => ({ toleranceBps: 0n }) }
    const assets: ScenarioChoices["assets"] = new Map([
      [A, { startUnits: 0n, price: "dearer" }],
      [B, { startUnits: 1_000n * UNIT }],
    ])
    const run = runOnce(
      subject,
      {},
      { assets, prices: new Map([["dearer", { startFiat: 1_020_000n }]]) },
    )
    expect(run.moves).toBe(0)
    expect(codesOf(run)).toEqual(["price.reference"])
  })
})

test("a gas rule refills the coin that the orders of a backtest use up", () => {
  const unit = 10n ** 15n
  const fees = { depositFeeUnits: 2n * unit, refundFeeUnits: unit }
  const chains: ScenarioChoices["chains"] = new Map(CHAINS.map(({ chain }) => [chain, fees]))
  const start = [assetChoice(A, 1_000n * UNIT), assetChoice(B, 1_000n * UNIT)]
  const assets: ScenarioChoices["assets"] = new Map([...start, assetChoice(COIN, 15n * unit)])
  const stock = { id: "stock", kind: "gas" as const, asset: COIN, sources: [A] }
  const timed = { ...stock, days: 14n, orders: 2n, everyMs: HOUR_MS }
  const run = (rules: readonly TimedRule[]): SeedResult =>
    runOnce(withCoin(sampleSubject(rules, {}, { way: "onchain" })), {}, { chains, assets })
  expect(codesOf(run([daily()]))).toContain("policy.gas")
  const supplied = run([daily(), timed])
  expect(codesOf(supplied)).not.toContain("policy.gas")
  expect(supplied.moves).toBeGreaterThan(5)
})

describe("a backtest tries again as the daemon does", () => {
  const MINUTE_MS = 60_000
  const two = [
    { ...daily(), id: "zeta" },
    { ...daily(), id: "alpha" },
  ]
  const oneAtOnce = (duration: number): SeedResult => {
    const pair = {
      ...sampleChoices().pair,
      duration: { least: duration, typical: duration, most: duration },
    }
    return runOnce(sampleSubject(two, { maxInFlight: 1 }), {}, { pair })
  }

  test("in the order of the configuration, where two rules fire at one instant", () => {
    expect(oneAtOnce(60 * MINUTE_MS).declined.map(({ rule }) => rule)).toEqual(["alpha"])
  })

  test("for ten minutes, while too many orders are in flight", () => {
    // The last instant is the end of the run.
    expect(oneAtOnce(5 * MINUTE_MS).moves).toBe(5 + 4)
    expect(oneAtOnce(11 * MINUTE_MS).moves).toBe(5)
  })
})

function withCoin(subject: Subject): Subject {
  const coin = { id: COIN, chain: toChainId("two"), decimals: 18, token: null, htlc: [] }
  return { ...subject, assets: [...subject.assets, coin] }
}

function codesOf({ declined, refused }: SeedResult): string[] {
  return [...declined, ...refused].map(({ code }) => code)
}

function daily(): RecurringRule {
  const amount = { kind: "units" as const, units: UNIT }
  const schedule = { schedule: "0 0 * * *", timezone: "UTC", catchUp: "skip" as const }
  return { id: "daily", kind: "recurring", from: B, to: A, amount, ...schedule }
}

function runOnce(
  subject: Subject,
  world: Partial<Scenario> = {},
  choices: Partial<ScenarioChoices> = {},
): SeedResult {
  const start = [A, B]
    .map((id) => assetChoice(id, 1_000n * UNIT))
    .concat([assetChoice(COIN, 10n ** 18n)])
  const assets = new Map(start.filter(([id]) => id !== COIN || subject.assets.length > 2))
  const scenario = deriveScenario([subject], CHAINS, 5, sampleChoices({ assets, ...choices }))
  const backtest = backtestPolicies([subject], { ...scenario, ...world }, { first: 1, count: 1 })
  const [run] = backtest.subjects[0]?.runs ?? []
  if (!run) throw new Error("one run was asked for")
  return run
}
