import { beforeEach, expect, test } from "vitest"
import { feeSeries } from "#engine/rules/decide/fee-waits.ts"
import { type DecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeJson } from "#lib/json.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
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
