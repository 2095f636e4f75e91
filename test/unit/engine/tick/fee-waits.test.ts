import { beforeEach, expect, test } from "vitest"
import { feeSeries, salesOfNeeds, salesOfOccurrences } from "#engine/rules/decide/fee-waits.ts"
import { type DecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeJson } from "#lib/json.ts"
import type { PolicyRule, TimedRule } from "#policy/rules/registry.ts"
import { FEE } from "../../../support/fake-fees.ts"
import { ARB, BTC, createWorld, type Daemon, type World } from "../../../support/fake-world.ts"

const HOUR_MS = 3_600_000
const CHAIN = "arbitrum_sepolia"
const SWEEP = {
  id: "sweep",
  kind: "sweep",
  from: ARB,
  keepUnits: 900_000n,
  to: BTC,
  everyMs: 5_000,
  patienceMs: 24 * HOUR_MS,
} as const satisfies TimedRule

const DAILY = {
  id: "daily",
  kind: "recurring",
  schedule: "0 8 * * *",
  timezone: "UTC",
  from: BTC,
  to: ARB,
  amount: { kind: "units", units: 1n },
  catchUp: "skip",
  patienceMs: HOUR_MS,
} as const satisfies PolicyRule

test.each<readonly [string, readonly PolicyRule[], object, readonly object[]]>([
  ["of a patient schedule", [DAILY], { at: { dueMs: 5 } }, [{ untilMs: 5 + HOUR_MS, asset: BTC }]],
  ["of two rules", [SWEEP, DAILY], { at: { dueMs: 5 } }, [{ rule: "daily" }]],
  ["without patience", [{ ...DAILY, patienceMs: null }], { at: { dueMs: 5 } }, []],
  ["that is not due", [DAILY], { at: null }, []],
  ["without a time", [DAILY], {}, []],
  ["of a rule that is gone", [SWEEP], { at: { dueMs: 5 } }, []],
  ["of a rule without a schedule", [{ ...SWEEP, id: "daily" }], { at: { dueMs: 5 } }, []],
])("an occurrence %s may wait for a low fee, or not", (_what, rules, entry, sales) => {
  const entries = [{ rule: "daily", occurrence: "today", ...entry }]
  // CAST: an entry has more fields, which count for nothing here.
  const found = salesOfOccurrences(rules, entries as never)
  expect(found).toMatchObject(sales)
  expect(found).toHaveLength(sales.length)
})

test("a need sells what it loses, and may sell what its partners give, until its own time", () => {
  const need = { rule: "sweep", asset: ARB, partners: [{ asset: BTC }] }
  const needs = [
    { ...need, kind: "lose" },
    { ...need, kind: "gain" },
    { ...need, kind: "gain", mayWait: true },
    { ...need, kind: "lose", rule: "gone" },
    { ...need, kind: "lose", rule: "hasty" },
  ]
  const rules = [SWEEP, { ...SWEEP, id: "hasty", patienceMs: null }]
  const salesAt = (untilMs: number | null) =>
    salesOfNeeds(
      // CAST: no fee is read here.
      { now: () => 7, waitsUntilMs: () => untilMs, readFees: () => null } as never,
      rules,
      // CAST: a need has more fields, which count for nothing here.
      needs as never,
    ).map((sale) => [sale.rule, sale.occurrence, sale.asset, sale.untilMs])
  expect(salesAt(9)).toEqual([ARB, BTC].map((asset) => ["sweep", null, asset, 9]))
  expect(salesAt(null).map(([, , , untilMs]) => untilMs)).toEqual(
    [7, 7].map(() => 7 + 24 * HOUR_MS),
  )
})

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

test("a sale waits for a fee as low as waiting promises, and its decisions replay", async () => {
  start([SWEEP], { feeNow: 3n * FEE })
  await world.pass(30_000)
  expect(orders()).toBe(0)
  const waiting = lastDecision()
  expect(waiting.reasons).toMatchObject([
    { code: "policy.fee_wait", asset: ARB, chain: CHAIN, rank: "100%", accepts: "37%" },
  ])
  expect(waiting.times).toBeGreaterThan(4)
  expect(waiting.replay()).toMatchObject({ same: true })
  // Without the fees of the view the same decision is another one.
  const inputs = waiting.inputs.replace(/"fees":\[[^\]]*\],?/, "").replace(",}", "}")
  expect(inputs).not.toBe(waiting.inputs)
  expect(replayDecision(waiting.stored, inputs)).toMatchObject({ same: false })

  world.fees.set(CHAIN, FEE)
  await world.run(() => orders() === 1)
  expect(lastDecision().replay()).toMatchObject({ same: true })
})

test("at its deadline a sale goes at any fee, also after a restart", async () => {
  start([SWEEP], { feeNow: 3n * FEE })
  await world.pass(10_000)
  const until = String(lastDecision().reasons[0]?.["until"])
  for (const hours of [6, 12, 16]) {
    daemon.kill()
    world.clock.set(Date.parse(until) - (24 - hours) * HOUR_MS)
    start([SWEEP])
    await world.pass(10_000)
    expect(orders()).toBe(0)
    expect(lastDecision().reasons[0]).toMatchObject({ code: "policy.fee_wait", until })
  }
  daemon.kill()
  world.clock.set(Date.parse(until))
  start([SWEEP])
  await world.run(() => orders() === 1, 10_000)
})

test("a rule without patience, and a fee without a day of others, wait for nothing", async () => {
  const { patienceMs: _, ...atOnce } = SWEEP
  start([atOnce], { feeNow: 3n * FEE })
  await world.run(() => orders() === 1)
  daemon.kill()
  world.close()
  world = createWorld()
  start([SWEEP], { feeNow: 3n * FEE, hours: 20 })
  await world.run(() => orders() === 1)
})

test("the deadline ends with the need, and the next one has its own", async () => {
  start([SWEEP], { feeNow: 3n * FEE })
  await world.pass(10_000)
  const until = lastDecision().reasons[0]?.["until"]
  world.fees.set(CHAIN, FEE)
  await world.run(() => lastDecision().reasons[0]?.code === "policy.below_keep")
  world.fees.set(CHAIN, 3n * FEE)
  daemon.kill()
  start([{ ...SWEEP, keepUnits: 800_000n }])
  await world.run(() => lastDecision().reasons[0]?.code === "policy.fee_wait")
  expect(Date.parse(String(lastDecision().reasons[0]?.["until"]))).toBeGreaterThan(
    Date.parse(String(until)),
  )
})

test("an occurrence waits within its patience, and goes before its window closes", async () => {
  const atMs = Date.UTC(2026, 2, 2, 9)
  const rule: TimedRule = {
    id: "dca",
    kind: "recurring",
    schedule: "0 9 2 3 *",
    timezone: "UTC",
    from: ARB,
    to: BTC,
    amount: { kind: "units", units: 50_000n },
    catchUp: "skip",
    windowMs: 24 * HOUR_MS,
    patienceMs: 12 * HOUR_MS,
  }
  start([rule], { feeNow: 3n * FEE })
  await world.pass(1_000)
  daemon.kill()
  world.clock.set(atMs - 1_000)
  start([rule])
  await world.pass(40_000)
  expect(orders()).toBe(0)
  expect(lastDecision("dca").reasons).toMatchObject([
    { code: "policy.fee_wait", until: new Date(atMs + 12 * HOUR_MS).toISOString() },
  ])
  expect(lastDecision("dca").replay()).toMatchObject({ same: true })
  daemon.kill()
  world.clock.set(atMs + 12 * HOUR_MS)
  start([rule])
  await world.run(() => orders() === 1, 60_000)
})

/** With a fee of each hour before the start: from `FEE` to a little less than three times it. */
function start(
  rules: readonly TimedRule[],
  { feeNow = null, hours = 200 }: { readonly feeNow?: bigint | null; readonly hours?: number } = {},
): void {
  daemon = world.start({ settings: { rules } })
  if (feeNow === null) return
  const { journal, clock } = daemon.context
  for (let ago = hours; ago > 0; ago -= 1) {
    const value = FEE + (FEE * 2n * BigInt(ago % 100)) / 100n
    journal.addSample({ series: feeSeries(ARB), atMs: clock.now() - ago * HOUR_MS, value })
  }
  world.fees.set(CHAIN, feeNow)
}

function orders(): number {
  return daemon.context.journal.listOrders({ limit: 9 }).length
}

function lastDecision(rule = "sweep") {
  const { journal } = daemon.context
  const stored = mustExist(journal.listDecisions({ rule, limit: 1 })[0], "a decision")
  const inputs = mustExist(journal.findInputs(stored.inputs ?? ""), "its inputs")
  // CAST: written by the tick.
  const reasons = reasonsIn(decodeJson(stored.body) as DecisionBody)
  const replay = () => replayDecision(stored, inputs)
  return { stored, inputs, reasons, times: stored.times, replay }
}
