import { describe, expect, test } from "vitest"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import type { SeedResult } from "#backtest/results/measure.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { AssetId } from "#domain/asset.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
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

const AT_ONCE = { least: 0, typical: 0, most: 0 }
const DRIFT = 24n * UNIT

describe("the guards in a backtest", () => {
  test("let a window fill to the last unit and not beyond", () => {
    // A refill to the edge each hour sells a little over one unit: ten a day fit into a window of
    // 10.1 units of fiat.
    const window = {
      perMs: DAY_MS,
      max: { kind: "fiat" as const, fiat: 10_100_000n },
      maxFeesFiat: null,
      maxCount: null,
    }
    const run = runOnce(sampleSubject([edge()], { windows: [window] }), 4)
    // The planner sees the window, so admission has nothing to refuse.
    expect(run.refused).toEqual([])
    expect(run.declined.map(({ code }) => code)).toContain("policy.window")
    expect(run.windows[0]?.fiatBps).toBeLessThanOrEqual(10_000n)
    expect(run.windows[0]?.fiatBps).toBeGreaterThan(8_000n)
    expect(run.rules[0]?.belowMs).toBeGreaterThan(DAY_MS)
    const free = runOnce(sampleSubject([edge()]), 4)
    expect(free.refused).toEqual([])
    expect(free.moves).toBeGreaterThan(run.moves)
  })

  test("count orders: a window of three a day lets three pass in each", () => {
    const window = { perMs: DAY_MS, max: null, maxFeesFiat: null, maxCount: 3 }
    // One is due each hour; a window begins with the first of its day's three.
    const run = runOnce(sampleSubject([hourly()], { windows: [window] }), 4)
    expect(run.moves).toBe(12)
    expect(run.windows[0]?.countBps).toBe(10_000n)
  })

  test(
    "admit the next order in the minute in which one leaves the window, also without another " +
      "change",
    () => {
      const window = { perMs: 1.5 * HOUR_MS, max: null, maxFeesFiat: null, maxCount: 1 }
      const run = runOnce(sampleSubject([{ ...edge(), everyMs: 60_000 }], { windows: [window] }), 1)
      // Below at each full hour; an order at 1:00, 2:30, 4:00 and so on. So it waits 30 minutes
      // eight times and an hour seven times.
      expect(run.moves).toBe(16)
      expect(run.rules[0]?.belowMs).toBe((8 * 30 + 7 * 60) * 60_000)
    },
  )

  test("do not count a rejected order as sold", () => {
    const window = { perMs: DAY_MS, max: null, maxFeesFiat: null, maxCount: 3 }
    const subject = sampleSubject([hourly()], { windows: [window] })
    const settings = { ...subject.settings, cooldownMs: 0 }
    const orders = { declinedPpm: 1_000_000n, refundedPpm: 0n }
    const run = runOnce({ ...subject, settings }, 1, { orders })
    expect(run.moves).toBe(24)
    // Each order counts alone, while it was open.
    expect(run.windows[0]?.countBps).toBe(3_333n)
  })

  test("hold no more in flight than allowed", () => {
    const pair = {
      ...sampleChoices().pair,
      duration: { least: 5 * HOUR_MS, typical: 5 * HOUR_MS, most: 5 * HOUR_MS },
    }
    const run = runOnce(sampleSubject([hourly()], { maxInFlight: 2 }), 2, { pair })
    expect(run.inFlightPeak).toBe(2)
    expect(run.declined.concat(run.refused).map(({ code }) => code)).toContain("policy.order_count")
  })

  test("let a pair rest after a failure, for longer after each", () => {
    const orders = { declinedPpm: 1_000_000n, refundedPpm: 0n }
    const subject = sampleSubject([hourly()])
    const settings = { ...subject.settings, cooldownMs: HOUR_MS, cooldownMaxMs: 8 * HOUR_MS }
    const run = runOnce({ ...subject, settings }, 2, { orders })
    // At hours 1, 2, 4, 8, 16, 24, 32, 40, 48: a cool-down ends in the instant of an occurrence,
    // which is then free to begin.
    expect(run.moves).toBe(9)
    expect(run.completed).toBe(0)
    expect(run.rejected).toEqual([
      {
        rule: "hourly",
        code: "service.declined",
        message: "the service declined the order",
        times: 9,
        episodes: expect.any(Number),
      },
    ])
  })

  test("make a large order wait for approval, and end it without an approval in time", () => {
    const approveAbove = { kind: "fiat" as const, fiat: 500_000n }
    const waits = (approvalMs: number): SeedResult => {
      const approval = { least: approvalMs, typical: approvalMs, most: approvalMs }
      const orders = { ...sampleChoices().orders, approval }
      return runOnce(sampleSubject([daily()], {}, { approveAbove, approvalTtlMs: HOUR_MS }), 10, {
        orders,
      })
    }
    expect(waits(HOUR_MS)).toMatchObject({ moves: 10, completed: 9, rejected: [] })
    expect(waits(HOUR_MS + 1)).toMatchObject({
      moves: 10,
      completed: 0,
      rejected: [{ code: "approval.expired", times: 9 }],
    })
  })

  test(
    "cannot see a coin that is not configured: the deposit then fails without it, and the " +
      "table says so",
    () => {
      const subject = sampleSubject([daily()], {}, { way: "onchain" })
      const chains = new Map(
        CHAINS.map(({ chain }) => [
          chain,
          { gasUnits: 5n, depositFeeUnits: 2n, refundFeeUnits: 1n },
        ]),
      )
      const run = runOnce(subject, 10, { chains })
      expect(run).toMatchObject({ completed: 2, rejected: [{ code: "funds.gas", times: 8 }] })
      expect(run.coins.map(({ lowestUnits }) => lowestUnits)).toContain(1n)
    },
  )

  test("return a refund after its time, minus network fees only", () => {
    const orders = { declinedPpm: 0n, refundedPpm: 1_000_000n, refundAfterMs: 6 * HOUR_MS }
    const run = runOnce(sampleSubject([daily()]), 10, { orders })
    expect(run).toMatchObject({ completed: 0, refunded: 9, volumeFiat: 0n, swapFeesFiat: 0n })
    expect(run.networkFeesFiat).toBeGreaterThan(0n)
    // The tenth is in flight at the end.
    expect(unitsOf(run, B)).toBe(1_000n * UNIT - UNIT)
  })
})

describe("flows", () => {
  test("are counted and not paid when the wallet cannot pay them", () => {
    const subject = sampleSubject([])
    const run = runOnce(subject, 1, { flows: [{ atMs: HOUR_MS, asset: A, units: -1_200n * UNIT }] })
    const [asset] = run.assets
    expect(asset).toMatchObject({ finalUnits: 0n, unservedUnits: 200n * UNIT, unservedTimes: 1 })
  })

  test("count in the mean value of a wallet for their time", () => {
    const flows = [{ atMs: 12 * HOUR_MS, asset: A, units: -500n * UNIT }]
    const [a, b] = runOnce(sampleSubject([]), 1, { flows }).assets
    expect([a?.finalUnits, b?.finalUnits]).toEqual([500n * UNIT, 1_000n * UNIT])
    expect(b?.meanFiat).toBeGreaterThan(0n)
    expect(a?.meanFiat).toBe(((b?.meanFiat ?? 0n) * 3n) / 4n)
  })

  test("from a record replace the random ones, at their exact time", () => {
    const flows = [{ atMs: 90 * 60_000, asset: A, units: -990n * UNIT }]
    const run = runOnce(sampleSubject([edge()]), 1, {
      flows,
      pair: { ...sampleChoices().pair, duration: AT_ONCE },
    })
    // Below 40 from 01:30 until the evaluation at 02:00.
    expect(run.rules[0]?.belowMs).toBe(30 * 60_000)
    expect(unitsOf(run, A)).toBe(40n * UNIT)
  })

  test("and recorded quotes with prices hold from their time on", () => {
    const quotes = [
      {
        atMs: 5 * DAY_MS,
        from: B,
        to: A,
        fixedFiat: 1_000n,
        bps: 50n,
        fromPriceFiat: 2_000_000n,
        toPriceFiat: null,
      },
    ]
    const prices = new Map([["other", { startFiat: 1_000_000n }]])
    const assets: ScenarioChoices["assets"] = new Map([
      [A, { startUnits: 0n }],
      [B, { startUnits: 1_000n * UNIT, price: "other" }],
    ])
    const run = runOnce(sampleSubject([daily()]), 10, { quotes, prices, assets })
    // Four at 20 basis points at price 1, then six at price 2 with 50 basis points and the fixed
    // part.
    expect(run.swapFeesFiat).toBe(4n * 2_000n + 6n * (10_000n + 1_000n))
  })
})

function edge(): BandRule & { everyMs: number } {
  const units = { minUnits: 40n * UNIT, targetUnits: 100n * UNIT, maxUnits: 2_000n * UNIT }
  return {
    id: "keep",
    kind: "band",
    asset: A,
    ...units,
    sources: [B],
    sinks: [],
    move: "edge",
    everyMs: HOUR_MS,
  }
}

function hourly(): RecurringRule {
  return recurring("hourly", "0 * * * *")
}

/** At midnight; the last occurrence is at the end of the run. */
function daily(): RecurringRule {
  return recurring("daily", "0 0 * * *")
}

function recurring(id: string, schedule: string): RecurringRule {
  const amount = { kind: "units" as const, units: UNIT }
  return {
    id,
    kind: "recurring",
    schedule,
    timezone: "UTC",
    from: B,
    to: A,
    amount,
    catchUp: "skip",
  }
}

function start(): [AssetId, { startUnits: bigint; driftUnits: bigint; volatilityUnits: bigint }][] {
  return [assetChoice(A, 1_000n * UNIT), assetChoice(B, 1_000n * UNIT)]
}

function runOnce(
  subject: Subject,
  days: number,
  choices: Partial<ScenarioChoices> = {},
): SeedResult {
  const drifting =
    subject.settings.rules.some(({ kind }) => kind === "band") && choices.flows === undefined
  const assets = new Map(
    drifting ? [assetChoice(A, 40n * UNIT, -DRIFT), assetChoice(B, 10_000n * UNIT)] : start(),
  )
  const scenario = deriveScenario([subject], CHAINS, days, sampleChoices({ assets, ...choices }))
  const [run] =
    backtestPolicies([subject], scenario, { first: 1, count: 1 }).subjects[0]?.runs ?? []
  if (!run) throw new Error("one run was asked for")
  return run
}

function unitsOf(run: SeedResult, id: AssetId): bigint | undefined {
  return run.assets.find(({ asset }) => asset === id)?.finalUnits
}
