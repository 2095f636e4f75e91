import { beforeEach, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type RuleOrder, watchChurn } from "#engine/watches/churn-watch.ts"
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

const NOTHING = (): null => null
const HOUR_MS = 60 * 60_000

/** The alarms of at most five rounds of two rules, each of which sells the payout of the other. */
function alarmsOf(rules: readonly [TimedRule, TimedRule], halfRoundMs: number): string[] {
  const raised: string[] = []
  const placed: RuleOrder[] = []
  let nowMs = Date.UTC(2026, 0, 5, 9)
  const context = {
    journal: {
      readFlag: () => null,
      writeFlag: () => undefined,
      raiseAlert: (_: number, { rules: names }: Reason) => void raised.push(names ?? ""),
    },
    settings: { rules },
    clock: { now: () => nowMs },
    log: { error: () => undefined },
  }
  const order = { feeFiat: 1_000_000n, outcome: "completed", isOurs: () => true }
  for (let round = 0; round < 5 && raised.length === 0; round += 1) {
    for (const [rule, from, to] of [
      [rules[0].id, WBTC, ARB],
      [rules[1].id, ARB, WBTC],
    ] as const) {
      placed.push({ ...order, rule, from, to, createdAtMs: nowMs })
      watchChurn(
        context,
        (sinceMs) => placed.filter(({ createdAtMs }) => createdAtMs > sinceMs),
        NOTHING,
      )
      nowMs += halfRoundMs
    }
  }
  return raised
}

test(
  "weights that are evaluated once a day are given more than a day for three rounds, and a " +
    "fast rule is not",
  () => {
    const alarms = (everyMs: number): string[] =>
      alarmsOf(
        [
          { ...MIX, everyMs },
          { ...SWEEP, everyMs: HOUR_MS },
        ],
        12 * HOUR_MS,
      )
    expect(alarms(24 * HOUR_MS)).toEqual(["mix, sweep"])
    expect(alarms(HOUR_MS)).toEqual([])
  },
)

test("a rule with a schedule is given the time of its occurrences for three rounds", () => {
  const alarms = (schedule: string, halfRoundMs: number): string[] => {
    const bill: TimedRule = {
      id: "bill",
      kind: "recurring",
      schedule,
      timezone: "UTC",
      from: WBTC,
      to: ARB,
      amount: { kind: "units", units: 1n },
      catchUp: "skip",
      jitterMs: 0,
      windowMs: HOUR_MS,
    }
    return alarmsOf([bill, { ...SWEEP, everyMs: HOUR_MS }], halfRoundMs)
  }
  expect(alarms("0 9 * * *", 12 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 9 * * 1", 84 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 9 1 * *", 360 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 * * * *", 84 * HOUR_MS)).toEqual([])
})

test("both rules of an order that serves two are part of the circle", async () => {
  const raised: string[] = []
  const journal = {
    readFlag: () => null,
    writeFlag: () => undefined,
    raiseAlert: (_: number, { rules }: Reason) => void raised.push(rules ?? ""),
  }
  const context = {
    journal,
    settings: {},
    clock: { now: () => 10_000 },
    log: { error: () => undefined },
  }
  const order = { feeFiat: 1n, outcome: "completed", isOurs: () => true }
  const orders = [1, 2, 3].flatMap((at): RuleOrder[] => [
    { ...order, rule: "a", secondRule: "b", from: WBTC, to: ARB, createdAtMs: at * 10 },
    { ...order, rule: "c", from: ARB, to: WBTC, createdAtMs: at * 10 + 5 },
  ])
  watchChurn(context, () => orders, NOTHING)
  expect(raised).toEqual(["a, b, c"])
})

test("a circle that is too slow for three rounds has its alarm by its fees of two weeks", () => {
  const raised: Reason[] = []
  const placed: RuleOrder[] = []
  const DAY_MS = 24 * HOUR_MS
  let nowMs = Date.UTC(2026, 0, 5)
  const context = {
    journal: {
      readFlag: () => null,
      writeFlag: () => undefined,
      raiseAlert: (_: number, reason: Reason) => void raised.push(reason),
    },
    settings: {},
    clock: { now: () => nowMs },
    log: { error: () => undefined },
  }
  const order = { outcome: "completed", isOurs: () => true }
  const place = (rule: string, from: AssetId, to: AssetId): void => {
    const values = { sourceFiat: 1_000_000_000n, feeFiat: 3_000_000n }
    placed.push({ ...order, ...values, rule, from, to, createdAtMs: nowMs })
    const since = (sinceMs: number) => placed.filter(({ createdAtMs }) => createdAtMs > sinceMs)
    watchChurn(context, since, () => 5_000_000_000n)
  }
  place("a", WBTC, ARB)
  nowMs += 6 * DAY_MS
  place("a", WBTC, ARB)
  nowMs += 6 * DAY_MS
  place("b", ARB, WBTC)
  expect(raised).toEqual([])
  nowMs += DAY_MS
  place("b", ARB, WBTC)
  expect(raised).toMatchObject([
    { code: "alarm.churn", rules: "a, b", fees: "12", volume: "4000", treasury: "5000" },
  ])
  expect(raised[0]?.message).toContain("within 14 days")
})
