import { expect, test } from "vitest"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  A,
  assetChoice,
  B,
  CHAINS,
  HOUR_MS,
  sampleChoices,
  sampleSubject,
  UNIT,
} from "../../unit/backtest/sample-subject.ts"

const LOW = 3_000_000_000_000n

test("patience pays the fees of the nights, with as many orders and none after its deadline", () => {
  const [atOnce, patient] = [null, 24 * HOUR_MS].map(runDays)
  expect(patient?.moves).toBe(atOnce?.moves)
  expect(atOnce?.moves).toBe(5)
  expect(declinedOf(atOnce)).not.toContain("policy.fee_wait")
  expect(declinedOf(patient)).toContain("policy.fee_wait")
  // All begin at noon, with ten times the fee of the nights.
  const dear = atOnce?.networkFeesFiat ?? 0n
  const cheap = patient?.networkFeesFiat ?? dear
  expect(dear).toBeGreaterThan(0n)
  expect(cheap * 5n).toBeLessThan(dear)
})

/** A week; the first day has no fees to compare with. */
function runDays(patienceMs: number | null) {
  const rule: TimedRule = {
    id: "noon",
    kind: "recurring",
    schedule: "0 12 2-6 * *",
    timezone: "UTC",
    from: A,
    to: B,
    amount: { kind: "units", units: UNIT },
    catchUp: "skip",
    windowMs: 30 * HOUR_MS,
    patienceMs,
  }
  const subject = sampleSubject([rule], {}, { way: "onchain" })
  const assets = new Map([assetChoice(A, 100n * UNIT), assetChoice(B, 100n * UNIT)])
  const choices = sampleChoices({ startMs: Date.UTC(2026, 0, 1), assets })
  const scenario = deriveScenario([subject], CHAINS, 7, choices)
  const fees = Array.from({ length: 7 * 24 }, (_, hour) => ({
    atMs: scenario.startMs + hour * HOUR_MS,
    value: hour % 24 < 6 ? LOW : 10n * LOW + BigInt(hour),
  }))
  const chains = scenario.chains.map((chain) => ({ ...chain, fees }))
  const days = { ...scenario, chains }
  return backtestPolicies([subject], days, { first: 1, count: 1 }).subjects[0]?.runs?.[0]
}

function declinedOf(run: ReturnType<typeof runDays>): string[] {
  return (run?.declined ?? []).map(({ code }) => code)
}
