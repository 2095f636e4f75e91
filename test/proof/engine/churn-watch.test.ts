import { beforeEach, expect, test } from "vitest"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  ARB,
  createWorld,
  type Daemon,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"

const SWEEP: TimedRule = {
  id: "sweep",
  kind: "sweep",
  from: ARB,
  keepUnits: 300_000n,
  to: WBTC,
  everyMs: 5_000,
}
const MIX: TimedRule = {
  id: "mix",
  kind: "weights",
  toleranceBps: 500n,
  everyMs: 5_000,
  weights: [
    { asset: WBTC, bps: 5_000n },
    { asset: ARB, bps: 5_000n },
  ],
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

function start(rules: readonly TimedRule[], options: StartOptions["settings"] = {}): void {
  daemon = world.start({ settings: { rules, ...options } })
}
const orders = (): number => daemon.context.journal.listOrders({ limit: 999 }).length

test(
  "a sweep and weights that undo each other's work are paused with an alarm, until an operator " +
    "acknowledges it",
  async () => {
    start([SWEEP, MIX])
    await world.pass(30 * 60_000)
    expect(daemon.alerts()).toEqual(["alarm.churn"])
    const stopped = orders()
    expect(stopped).toBeLessThan(10)
    await world.pass(30 * 60_000)
    expect(orders()).toBe(stopped)
    const scope = { kind: "rule", rule: "sweep" } as const
    const refused = daemon.engine.resume(scope)
    expect(refused).toMatchObject({
      ok: false,
      reasons: [{ code: "pause.alarm", alarm: "churn-sweep" }],
    })
    expect(refused.ok ? "" : refused.reasons[0]?.message).toContain(
      "`ballast resume --rule sweep --acknowledge churn-sweep`",
    )
    expect(daemon.engine.resume(scope, ["churn-sweep"])).toEqual({ ok: true })
    await world.pass(10 * 60_000)
    // The weights are still paused, so the sweep sells once and is done; the orders from before do
    // not count again.
    expect(daemon.alerts()).toEqual(["alarm.churn"])
  },
)

test("with on_alarm: continue there is the alarm alone", { timeout: 60_000 }, async () => {
  start([SWEEP, MIX], { onAlarm: "continue" })
  await world.pass(6 * 60_000)
  expect(daemon.alerts().length).toBeGreaterThan(0)
  expect(daemon.context.journal.readFlag("pause/rule/sweep")).toBeNull()
  const before = orders()
  await world.pass(3 * 60_000)
  expect(orders()).toBeGreaterThan(before)
})
