import { describe, expect, test } from "vitest"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { plainJson } from "#lib/json.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"
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

/**
 * The balance falls by 24 whole units a day, one an hour, and is refilled from B at 20 basis
 * points.
 */
const MIN = 40n * UNIT
const TARGET = 100n * UNIT
const DRIFT = 24n * UNIT
const START_B = 1_000_000n * UNIT
const DAYS = 15
const KEPT = 9_980n

describe("a band that drifts down evenly at a proportional cost", () => {
  test("is refilled to its target every (target − min)/drift days, and costs what the formula says", () => {
    const run = onlyRun(band("target"))
    // At 39 it is below 40, after 61 hours; then again 61 hours later, and so on.
    const moves = (DAYS * 24) / 61
    expect(run.moves).toBe(Math.floor(moves))
    const wanted = 61n * UNIT
    const sold = soldFor(61n * UNIT)
    expect(run.completed).toBe(run.moves)
    expect(run.volumeFiat).toBe(BigInt(run.moves) * sold)
    expect(run.swapFeesFiat).toBe(BigInt(run.moves) * (sold - wanted))
    expect(run.networkFeesFiat).toBe(0n)
    const hours = BigInt(DAYS * 24)
    expect(unitsOf(run, A)).toBe(TARGET - hours * UNIT + BigInt(run.moves) * wanted)
    expect(unitsOf(run, B)).toBe(START_B - BigInt(run.moves) * sold)
    // The refill happens in the instant in which the balance leaves the band.
    expect(run.rules.map(({ outsideMs }) => outsideMs)).toEqual([0])
  })

  test("is refilled to its edge with every unit that drifts away, once it has come down there", () => {
    const run = onlyRun(band("edge"))
    expect(run.moves).toBe(DAYS * 24 - 60)
    expect(run.volumeFiat).toBe(BigInt(run.moves) * soldFor(UNIT))
    expect(run.swapFeesFiat).toBe(BigInt(run.moves) * (soldFor(UNIT) - UNIT))
    expect(unitsOf(run, A)).toBe(MIN)
  })

  test("is below its band for as long as each refill takes", () => {
    const hour = { least: HOUR_MS / 2, typical: HOUR_MS / 2, most: HOUR_MS / 2 }
    const run = onlyRun(band("target"), { pair: { ...sampleChoices().pair, duration: hour } })
    expect(run.moves).toBe(Math.floor((DAYS * 24) / 61))
    expect(run.rules[0]?.belowMs).toBe((run.moves * HOUR_MS) / 2)
  })

  test("is refilled over a route that is cheaper, whose payout our own transaction takes", () => {
    const steady = { prices: new Map([["eth", { volatilityPpm: 0n }]]) }
    const beside = { routes: [{ kind: "toy", assets: [A, B] }] }
    const run = onlyRun(band("target"), steady, beside)
    expect([run.moves, run.completed]).toEqual([5, 5])
    // Two basis points of what is sold, and no share of the service.
    expect(run.swapFeesFiat).toBeLessThan(run.volumeFiat / 4_900n)
    expect(run.swapFeesFiat).toBeGreaterThan(run.volumeFiat / 5_100n)
    // Deposit and redemption: 6 × 10^-6 ETH of 3 000 each.
    expect(run.networkFeesFiat).toBe(5n * 18_000n)
    const { settings } = sampleSubject([band("target")])
    const gasless = onlyRun(band("target"), steady, { ...beside, settings })
    expect(gasless.swapFeesFiat).toBeGreaterThan(gasless.volumeFiat / 600n)
    // The scenario has other figures of the route.
    const dear = { ...steady, routes: new Map([["toy", { bps: 8n }]]) }
    const costly = onlyRun(band("target"), dear, beside)
    expect(costly.swapFeesFiat / run.swapFeesFiat).toBe(4n)
    // A route pays our own wallet alone.
    const from = { id: "out", kind: "sweep", from: B, to: A, everyMs: DAY_MS } as const
    const sweep = { ...from, keepUnits: 1_000n * UNIT }
    const swept = onlyRun({ ...sweep, destination: "customer" }, steady, beside)
    expect([swept.moves > 0, swept.swapFeesFiat > swept.volumeFiat / 600n]).toEqual([true, true])
    // With a lower limit of the issuer an order is at most so large.
    const limit = { maxRouteFiat: { toy: 10n * UNIT } }
    const limited = onlyRun(band("target"), steady, beside, limit)
    expect(limited.moves).toBeGreaterThan(run.moves)
    expect(limited.volumeFiat / BigInt(limited.moves)).toBeLessThanOrEqual(10n * UNIT)
  })

  test("is evaluated at the interval of its rule, and not at each change", () => {
    const run = onlyRun({ ...band("target"), everyMs: DAY_MS })
    // Below 40 after 61 hours; the evaluation at the end of the third day sees it, after 72 hours,
    // and then every third day again.
    expect(run.moves).toBe(DAYS / 3)
    expect(run.volumeFiat).toBe(BigInt(DAYS / 3) * soldFor(72n * UNIT))
    expect(run.rules[0]?.belowMs).toBe((DAYS / 3) * 11 * HOUR_MS)
  })
})

describe("a backtest", () => {
  test("is identical to the last byte under one seed, and differs under another", () => {
    const text = (first: number): string => {
      const { subject, scenario } = noisy()
      return plainJson(backtestPolicies([subject], scenario, { first, count: 2 }))
    }
    expect(text(7)).toBe(text(7))
    expect(text(7)).not.toBe(text(8))
  })

  test("gives two policies the same market", () => {
    const { subject, scenario } = noisy()
    const { comparison } = backtestPolicies([subject, subject], scenario, { first: 1, count: 3 })
    expect(comparison).toMatchObject({ cheaper: null, steadier: null })
    expect(comparison?.feesFiat.same).toBe(3)
  })

  test("finds that the policy with fewer transfers is cheaper, and by how much", () => {
    const { subject, scenario } = noisy()
    const wide = { ...band("target"), minUnits: 10n * UNIT, maxUnits: 300n * UNIT }
    const { comparison } = backtestPolicies([subject, sampleSubject([wide])], scenario, {
      first: 1,
      count: 5,
    })
    expect(comparison?.cheaper).toBe("second")
    expect(comparison?.moves.less).toBe(5)
  })

  test("plans with the solver of its policy", () => {
    const { subject, scenario } = noisy()
    // A solver that finds no order: the balance drifts away.
    const solve = ({ edges }: FlowProblem): OrderAnswer => {
      return { orders: edges.map(() => 0), exact: false, by: "highs", why: "limit" }
    }
    const subjects = [subject, { ...subject, solve }] as const
    const { subjects: tried } = backtestPolicies(subjects, scenario, { first: 1, count: 1 })
    expect(tried.map(({ runs }) => (runs[0]?.moves ?? 0) > 0)).toEqual([true, false])
  })
})

function band(move: "target" | "edge"): BandRule & { everyMs: number } {
  const units = { minUnits: MIN, targetUnits: TARGET, maxUnits: 200n * UNIT }
  return {
    id: "keep",
    kind: "band",
    asset: A,
    ...units,
    sources: [B],
    sinks: [B],
    move,
    everyMs: HOUR_MS,
  }
}

function onlyRun(
  rule: TimedRule,
  choices: Parameters<typeof sampleChoices>[0] = {},
  beside: Partial<Subject> = {},
  limits: Parameters<typeof sampleSubject>[1] = {},
) {
  // A route has no gasless deposits, so it is no choice where all of them are.
  const way = beside.routes === undefined ? "gasless" : "auto"
  const subject = { ...sampleSubject([rule], limits, { way }), ...beside }
  const assets = new Map([assetChoice(A, TARGET, -DRIFT), assetChoice(B, START_B)])
  const scenario = deriveScenario([subject], CHAINS, DAYS, sampleChoices({ assets, ...choices }))
  const [run] =
    backtestPolicies([subject], scenario, { first: 1, count: 1 }).subjects[0]?.runs ?? []
  if (!run) throw new Error("one run was asked for")
  return run
}

function noisy() {
  const subject = sampleSubject([band("target")], {}, {})
  const assets = new Map([assetChoice(A, TARGET, -DRIFT, 30n * UNIT), assetChoice(B, START_B)])
  const orders = { declinedPpm: 50_000n, refundedPpm: 50_000n, refundAfterMs: DAY_MS }
  const pair = { fixedFiat: 10_000n, bps: 20n, leastFiat: null }
  const scenario = deriveScenario([subject], CHAINS, 30, sampleChoices({ assets, orders, pair }))
  return { subject, scenario }
}

/** The units to sell so that `units` arrive: costs on top, rounded up. */
function soldFor(units: bigint): bigint {
  return (units * 10_000n + KEPT - 1n) / KEPT
}

function unitsOf(run: ReturnType<typeof onlyRun>, id: typeof A): bigint | undefined {
  return run.assets.find(({ asset }) => asset === id)?.finalUnits
}
