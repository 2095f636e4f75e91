import { beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { type DecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import { decodeJson } from "#lib/json.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { ledgerOf } from "../../../support/money.ts"

const BAND: TimedRule = {
  id: "band",
  kind: "band",
  asset: BTC,
  minUnits: 1_100_000n,
  targetUnits: 1_150_000n,
  maxUnits: 1_200_000n,
  sources: [ETH],
  sinks: [ETH],
  everyMs: 5_000,
}
const REFILL: TimedRule = { ...BAND, id: "refill" }
/** Sells the asset that the other rule buys with. */
const DRAIN: TimedRule = {
  ...BAND,
  id: "drain",
  asset: ETH,
  sinks: [BTC],
  sources: [],
  minUnits: 0n,
  targetUnits: 850_000n,
  maxUnits: 900_000n,
}
const SWEEP: TimedRule = {
  id: "sweep",
  kind: "sweep",
  from: ARB,
  keepUnits: 900_000n,
  to: BTC,
  everyMs: 5_000,
}
const WEIGHTS: TimedRule = {
  id: "mix",
  kind: "weights",
  weights: [
    { asset: WBTC, bps: 7_000n },
    { asset: ARB, bps: 3_000n },
  ],
  toleranceBps: 500n,
  everyMs: 5_000,
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

function start(rules: readonly TimedRule[], options: StartOptions = {}): void {
  daemon = world.start({ ...options, settings: { rules, ...options.settings } })
}
const orders = (): number => daemon.context.journal.listOrders({ limit: 999 }).length
const atRest = (): boolean => orders() > 0 && daemon.context.journal.countInFlight() === 0
const holds = (asset: AssetId): bigint => ledgerOf(world, asset).state().balances.get(asset) ?? 0n
const quotes = (): number => world.faults.countCalls("service.fetchQuotes")

function lastReasons(rule: string): string[] {
  const [decision] = daemon.context.journal.listDecisions({ rule, limit: 1 })
  // CAST: written by the tick.
  return decision
    ? reasonsIn(decodeJson(decision.body) as DecisionBody).map(({ code }) => code)
    : []
}

describe("a band", () => {
  test("out of its bounds is refilled once, and not again", async () => {
    start([BAND])
    await world.run(atRest)
    await world.pass(60_000)
    expect(orders()).toBe(1)
    const proposed = daemon.context.journal
      .listDecisions({ rule: "band", limit: 99 })
      .find(({ orders: made }) => made.length > 0)
    // CAST: the journal has what the tick stored.
    const { costs = [], decided } = decodeJson(proposed?.body ?? "") as DecisionBody
    expect(costs.map((parts) => (parts?.swapFiat ?? 0n) + (parts?.networkFiat ?? 0n))).toEqual(
      decided.proposals.map(({ costFiat }) => costFiat),
    )
    expect(costs).toHaveLength(1)
    expect(holds(BTC)).toBeGreaterThanOrEqual(1_150_000n)
    expect(holds(BTC)).toBeLessThan(1_151_000n)
    expect(lastReasons("band")).toEqual(["policy.target_satisfied"])
  })

  test("within its bounds causes no request, and is recorded once", async () => {
    start([{ ...BAND, minUnits: 0n }])
    await world.pass(60_000)
    expect(quotes()).toBe(0)
    const decisions = daemon.context.journal.listDecisions({ rule: "band", limit: 99 })
    expect(decisions).toMatchObject([{ verdict: "declined", times: 13, orders: [] }])
  })

  test("with an order in flight proposes nothing more, in every state and across restarts", async () => {
    start([BAND])
    for (let turn = 0; turn < 60; turn++) {
      await world.pass(1_000)
      daemon.kill()
      start([{ ...BAND, everyMs: 1_000 }])
      expect(orders()).toBeLessThanOrEqual(1)
    }
    await world.run(atRest)
    expect(orders()).toBe(1)
  })

  test("whose decision cannot be recorded is remembered until it can", async () => {
    start([{ ...BAND, minUnits: 0n }])
    const { journal, memory } = daemon.context
    const { recordDecision } = journal
    const fail = (): never => {
      throw new Error("no such table")
    }
    Object.assign(journal, { recordDecision: fail })
    await world.pass(6_000)
    expect(memory.faults.get("rules")).toMatchObject({ error: "no such table" })
    Object.assign(journal, { recordDecision })
    await world.pass(30_000)
    expect([...memory.faults.keys()]).toEqual([])
  })

  test("that is unreadable proposes nothing until it is readable", async () => {
    world.faults.inject("bitcoin.fetchBalance", { before: failure("transient") }, 3)
    start([BAND])
    await world.pass(2_000)
    expect(orders()).toBe(0)
    expect(lastReasons("band")).toEqual(["policy.view_incomplete"])
    await world.run(atRest)
    expect(holds(BTC)).toBeGreaterThanOrEqual(1_150_000n)
  })
})

describe("an unreachable chain", () => {
  beforeEach(() => {
    world.faults.inject(
      "bitcoin.fetchBalance",
      { before: failure("transient", "bitcoin.unreachable") },
      1_000_000,
    )
  })

  test("blocks the rules that need it, and no others", async () => {
    start([BAND, WEIGHTS])
    await world.run(atRest)
    await world.pass(60_000)
    expect(lastReasons("band")).toEqual(["policy.view_incomplete"])
    expect(daemon.context.journal.listOrders({ limit: 9 }).map(({ rule }) => rule)).toEqual(["mix"])
  })

  test("is skipped as a source in favour of another one", async () => {
    start([{ ...BAND, asset: ARB, sources: [BTC, ETH] }])
    await world.run(atRest)
    expect(daemon.context.journal.listOrders({ limit: 9 })).toMatchObject([{ from: ETH, to: ARB }])
  })

  test("is read again soon, also for a rule with a long interval", async () => {
    start([{ ...BAND, everyMs: 3_600_000 }])
    await world.pass(30_000)
    world.faults.clear("bitcoin.fetchBalance")
    await world.pass(12_000)
    expect(orders()).toBe(1)
  })
})

describe("observe mode", () => {
  test("decides and records like live mode, and opens nothing", async () => {
    start([BAND, { ...SWEEP, to: WBTC }], { settings: { mode: "observe" } })
    await world.pass(60_000)
    expect(orders()).toBe(0)
    const [decision] = daemon.context.journal.listDecisions({ rule: "band", limit: 1 })
    expect(decision).toMatchObject({ verdict: "proposed", orders: [], orderId: null })
    expect(lastReasons("band")).toEqual(["mode.observe"])
    expect(world.signatures).toEqual([])
  })

  test("records the refusals of the guards", async () => {
    const windows = [
      {
        perMs: 60_000,
        max: { kind: "fiat" as const, fiat: 1n },
        maxFeesFiat: null,
        maxCount: null,
      },
    ]
    start([BAND], {
      settings: { mode: "observe", limits: { maxOrder: null, maxInFlight: 8, windows } },
    })
    await world.pass(5_000)
    expect(daemon.context.journal.listDecisions({ rule: "band", limit: 1 })).toMatchObject([
      { verdict: "declined" },
    ])
    expect(lastReasons("band")).toEqual(["policy.window"])
  })
})

describe("a refusal of a rule", () => {
  test("is recorded with the guard's numbers, counted, and tried again", async () => {
    const windows = [
      {
        perMs: 60_000,
        max: { kind: "fiat" as const, fiat: 1n },
        maxFeesFiat: null,
        maxCount: null,
      },
    ]
    start([BAND], { settings: { limits: { maxOrder: null, maxInFlight: 8, windows } } })
    await world.pass(30_000)
    expect(orders()).toBe(0)
    expect(lastReasons("band")).toEqual(["policy.window"])
    expect(daemon.context.journal.listDecisions({ rule: "band", limit: 9 })).toMatchObject([
      { verdict: "declined", times: 7 },
    ])
  })

  test("for a pause names the pause, and leaves the pair to a rule that is not paused", async () => {
    start([REFILL, DRAIN])
    daemon.context.journal.writeFlag("pause/rule/refill", "now")
    await world.pass(20_000)
    expect(daemon.context.journal.listOrders({ limit: 9 }).map(({ rule }) => rule)).toEqual([
      "drain",
    ])
    expect(lastReasons("refill")).not.toContain("limit.in_flight")
  })

  test("for a pause of everything holds both rules, and afterwards one order serves them", async () => {
    start([REFILL, DRAIN])
    daemon.context.journal.writeFlag("pause", "now")
    await world.pass(20_000)
    expect(orders()).toBe(0)
    expect([...lastReasons("refill"), ...lastReasons("drain")]).toEqual(["paused", "paused"])
    daemon.context.journal.writeFlag("pause", null)
    await world.run(atRest)
    await world.pass(60_000)
    expect(orders(), "one order serves both").toBe(1)
    const { journal } = daemon.context
    for (const rule of ["refill", "drain"])
      expect(
        journal.listDecisions({ rule, limit: 99 }).flatMap((decision) => decision.orders),
      ).toEqual(["order-1"])
  })
})

describe("a preview", () => {
  test("shows proposals with their cost and declined rules with their reasons, and writes nothing", async () => {
    start([BAND, { ...SWEEP, to: WBTC }, { ...WEIGHTS, enabled: false }], {
      settings: { mode: "observe" },
    })
    await world.pass(30_000)
    const { journal } = daemon.context
    const count = (): number =>
      journal.listDecisions({ rule: null, limit: 999 }).reduce((sum, { times }) => sum + times, 0)
    const before = count()
    const { evaluation, refusals, costs } = await daemon.engine.preview()
    const total = costs.reduce(
      (sum, parts) => sum + (parts?.swapFiat ?? 0n) + (parts?.networkFiat ?? 0n),
      0n,
    )
    expect([costs.length, total]).toEqual([2, evaluation.plan.costFiat])
    expect(count()).toBe(before)
    expect(evaluation.proposals.map(({ rules }) => rules.join("+")).sort()).toEqual([
      "band",
      "sweep",
    ])
    expect(refusals.map((reasons) => reasons.map(({ code }) => code))).toEqual([
      ["mode.observe"],
      ["mode.observe"],
    ])
    expect(evaluation.plan.costFiat).toBeGreaterThan(0n)
  })
})

describe("several rules", () => {
  test("bring an unbalanced treasury into its bounds, and every decision replays the same", async () => {
    start([BAND, SWEEP, WEIGHTS], {
      settings: { limits: { maxOrder: null, maxInFlight: 20, windows: [] } },
    })
    await world.run(atRest)
    await world.pass(120_000)
    const { journal } = daemon.context
    expect(journal.countInFlight()).toBe(0)
    for (const decision of journal.listDecisions({ rule: null, limit: 999 })) {
      expect(
        replayDecision(decision, journal.findInputs(decision.inputs ?? "") ?? ""),
      ).toMatchObject({ same: true })
    }
    expect(lastReasons("band")).toEqual(["policy.target_satisfied"])
    expect(lastReasons("mix")).toEqual(["policy.within_tolerance", "policy.within_tolerance"])
  })
})
