import { afterEach, beforeEach, expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import { type RuleOrder, watchChurn } from "#engine/churn-watch.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { ARB, createWorld, type Daemon, type StartOptions, WBTC, type World } from "../support/fake-world.ts"

const SWEEP: TimedRule = { id: "sweep", kind: "sweep", from: ARB, keepUnits: 300_000n, to: WBTC, everyMs: 5_000 }
const MIX: TimedRule = {
  ...{ id: "mix", kind: "weights", toleranceBps: 500n, everyMs: 5_000 },
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
afterEach(() => world.close())

function start(rules: readonly TimedRule[], options: StartOptions["settings"] = {}): void {
  daemon = world.start({ settings: { rules, ...options } })
}
const orders = (): number => daemon.context.journal.listOrders({ limit: 999 }).length
const alerts = (): string[] => daemon.context.journal.listAlerts(9).map(({ reason }) => reason.code)

test("a sweep and weights that undo each other's work are paused with an alarm, until an operator acknowledges it", async () => {
  start([SWEEP, MIX])
  await world.pass(30 * 60_000)
  expect(alerts()).toEqual(["alarm.churn"])
  const stopped = orders()
  expect(stopped).toBeLessThan(10)
  await world.pass(30 * 60_000)
  expect(orders()).toBe(stopped)
  const scope = { kind: "rule", rule: "sweep" } as const
  const refused = daemon.engine.resume(scope)
  expect(refused).toMatchObject({ ok: false, reasons: [{ code: "pause.alarm", alarm: "churn-sweep" }] })
  expect(refused.ok ? "" : refused.reasons[0]?.message).toContain(
    "`ballast resume --rule sweep --acknowledge churn-sweep`",
  )
  expect(daemon.engine.resume(scope, ["churn-sweep"])).toEqual({ ok: true })
  await world.pass(10 * 60_000)
  // The weights are still paused, so the sweep sells once and is done; the orders from before do not count again.
  expect(alerts()).toEqual(["alarm.churn"])
})

test("with on_alarm: continue there is the alarm alone", { timeout: 60_000 }, async () => {
  start([SWEEP, MIX], { onAlarm: "continue" })
  await world.pass(6 * 60_000)
  expect(alerts().length).toBeGreaterThan(0)
  expect(daemon.context.journal.readFlag("pause/rule/sweep")).toBeNull()
  const before = orders()
  await world.pass(3 * 60_000)
  expect(orders()).toBeGreaterThan(before)
})

test("weights that are evaluated once a day are given more than a day for three rounds, and a fast rule is not", () => {
  const hourMs = 60 * 60_000
  const alarmsOf = (everyMs: number): string[] => {
    const raised: string[] = []
    const placed: RuleOrder[] = []
    const rules = [
      { ...MIX, everyMs },
      { ...SWEEP, everyMs: hourMs },
    ]
    let nowMs = 1_000_000 * hourMs
    const context = {
      journal: {
        readFlag: () => null,
        writeFlag: () => undefined,
        raiseAlert: (_: number, { rules: names }: Reason) => void raised.push(names ?? ""),
      },
      ...{ settings: { rules }, clock: { now: () => nowMs }, log: { error: () => undefined } },
    }
    for (let round = 0; round < 4 && raised.length === 0; round += 1) {
      for (const [rule, from, to] of [
        ["mix", WBTC, ARB],
        ["sweep", ARB, WBTC],
      ] as const) {
        placed.push({
          rule,
          from,
          to,
          feeFiat: 1_000_000n,
          createdAtMs: nowMs,
          outcome: "completed",
          isOurs: () => true,
        })
        watchChurn(context, (sinceMs) => placed.filter(({ createdAtMs }) => createdAtMs > sinceMs))
        nowMs += 12 * hourMs
      }
    }
    return raised
  }
  expect(alarmsOf(24 * hourMs)).toEqual(["mix, sweep"])
  expect(alarmsOf(hourMs)).toEqual([])
})

test("both rules of an order that serves two are part of the circle", async () => {
  const raised: string[] = []
  const journal = {
    readFlag: () => null,
    writeFlag: () => undefined,
    raiseAlert: (_: number, { rules }: Reason) => void raised.push(rules ?? ""),
  }
  const context = { journal, settings: {}, clock: { now: () => 10_000 }, log: { error: () => undefined } }
  const order = { feeFiat: 1n, outcome: "completed", isOurs: () => true }
  const orders = [1, 2, 3].flatMap((at): RuleOrder[] => [
    { ...order, rule: "a", secondRule: "b", from: WBTC, to: ARB, createdAtMs: at * 10 },
    { ...order, rule: "c", from: ARB, to: WBTC, createdAtMs: at * 10 + 5 },
  ])
  watchChurn(context, () => orders)
  expect(raised).toEqual(["a, b, c"])
})
