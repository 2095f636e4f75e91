import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { decodeJson } from "#lib/json.ts"
import type { TimedRule } from "#policy/policy-rule.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../../test/support/fake-world.ts"
import { failure } from "../../../test/support/faults.ts"
import { ledgerOf } from "../../../test/support/money.ts"
import { type DecisionBody, reasonsIn, replayDecision } from "./decision.ts"

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
const SWEEP: TimedRule = { id: "sweep", kind: "sweep", from: ARB, keepUnits: 900_000n, to: BTC, everyMs: 5_000 }
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
afterEach(() => world.close())

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
  return decision ? reasonsIn(decodeJson(decision.body) as DecisionBody).map(({ code }) => code) : []
}

describe("a band", () => {
  test("out of its bounds is refilled once, and left alone after that", async () => {
    start([BAND])
    await world.run(atRest)
    await world.pass(60_000)
    expect(orders()).toBe(1)
    expect(holds(BTC)).toBeGreaterThanOrEqual(1_150_000n)
    expect(holds(BTC)).toBeLessThan(1_151_000n)
    expect(lastReasons("band")).toEqual(["policy.target_satisfied"])
  })

  test("within its bounds asks the service for nothing, and is written down once", async () => {
    start([{ ...BAND, minUnits: 0n }])
    await world.pass(60_000)
    expect(quotes()).toBe(0)
    const decisions = daemon.context.journal.listDecisions({ rule: "band", limit: 99 })
    expect(decisions).toMatchObject([{ verdict: "declined", times: 13, orders: [] }])
  })

  test("whose order is under way asks for nothing more, in every state and across restarts", async () => {
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

  test("that cannot be read is left alone until it can", async () => {
    world.faults.inject("bitcoin.fetchBalance", { before: failure("transient") }, 3)
    start([BAND])
    await world.pass(2_000)
    expect(orders()).toBe(0)
    expect(lastReasons("band")).toEqual(["policy.view_incomplete"])
    await world.run(atRest)
    expect(holds(BTC)).toBeGreaterThanOrEqual(1_150_000n)
  })
})

describe("several rules", () => {
  test("bring a lopsided treasury into its bounds, and every decision comes out the same again", async () => {
    start([BAND, SWEEP, WEIGHTS], { settings: { limits: { maxOrder: null, maxInFlight: 20, windows: [] } } })
    await world.run(atRest)
    await world.pass(120_000)
    const { journal } = daemon.context
    expect(journal.countInFlight()).toBe(0)
    for (const decision of journal.listDecisions({ rule: null, limit: 999 })) {
      expect(replayDecision(decision, journal.findInputs(decision.inputs ?? "") ?? "")).toMatchObject({ same: true })
    }
    expect(lastReasons("band")).toEqual(["policy.target_satisfied"])
    expect(lastReasons("mix")).toEqual(["policy.within_tolerance", "policy.within_tolerance"])
  })
})
