import { beforeEach, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { admitSwap, judgeSwap } from "#engine/rules/admission.ts"
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
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/** One rule buys with the asset that the other sells, so one order serves both. */
const REFILL: TimedRule = {
  id: "refill",
  kind: "band",
  asset: BTC,
  sources: [ETH],
  sinks: [],
  everyMs: 5_000,
  minUnits: 1_100_000n,
  targetUnits: 1_150_000n,
  maxUnits: 1_200_000n,
}
const DRAIN: TimedRule = {
  id: "drain",
  kind: "band",
  asset: ETH,
  sources: [],
  sinks: [BTC],
  everyMs: 5_000,
  minUnits: 0n,
  targetUnits: 850_000n,
  maxUnits: 900_000n,
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

type Settings = NonNullable<StartOptions["settings"]>
function start(settings: Settings = {}, rules: readonly TimedRule[] = [REFILL, DRAIN]): void {
  daemon = world.start({ settings: { rules, ...settings } })
}
/** The codes with which admission would refuse an order of this rule on another pair now. */
async function refusals(
  rule: string,
  [from, to]: readonly [AssetId, AssetId] = [ARB, WBTC],
): Promise<string[]> {
  const request = { rule, occurrence: null, from, to, sourceUnits: 1_000n }
  return (await judgeSwap(daemon.context, request)).map(({ code }) => code)
}

test("an order that serves two rules takes a slot of each, also after a restart", async () => {
  world.autoMine = false
  const settings: Settings = {
    limits: { maxOrder: null, maxInFlight: 9, maxInFlightPerRule: 1, windows: [] },
  }
  start(settings)
  await world.pass(20_000)
  const [order] = daemon.context.journal.listOrders({})
  expect(order).toMatchObject({ rule: "drain", secondRule: "refill" })
  for (const turn of ["before", "after"]) {
    if (turn === "after") {
      daemon.kill()
      start(settings)
      await world.pass(20_000)
    }
    expect(daemon.context.journal.listOrders({}), turn).toHaveLength(1)
    for (const rule of ["drain", "refill"])
      expect(await refusals(rule), turn).toEqual(["limit.in_flight_rule"])
    expect(await refusals("other"), turn).toEqual([])
  }
})

test.each(["drain", "refill"])(
  "a pause of one of its two rules stops the order before its deposit (%s)",
  async (rule) => {
    world.faults.inject("service.submitOrder", { delayMs: 2_000 }, 1)
    start()
    await world.run(() =>
      daemon.context.journal.listOrders({}).some(({ state }) => state === "creating"),
    )
    await daemon.engine.pause({ kind: "rule", rule })
    await world.pass(60_000)
    expect(world.signatures).toEqual([])
    expect(daemon.engine.resume({ kind: "rule", rule })).toMatchObject({ ok: true })
    await world.run(() =>
      daemon.context.journal.listOrders({}).every(({ outcome }) => outcome === "completed"),
    )
  },
)

test("the failure of an order that serves two rules cools both down, also after a restart", async () => {
  world.faults.inject("service.submitOrder", { before: failure("refused") }, 100)
  const settings: Settings = { cooldownMs: 600_000 }
  start(settings)
  await world.run(() =>
    daemon.context.journal.listOrders({}).some(({ outcome }) => outcome === "rejected"),
  )
  for (const turn of ["before", "after"]) {
    if (turn === "after") {
      daemon.kill()
      start(settings)
    }
    for (const rule of ["drain", "refill"]) {
      expect(daemon.context.journal.readFailures({ rule }), turn).toMatchObject({ count: 1 })
      expect(await refusals(rule), turn).toEqual(["limit.cooldown"])
    }
    expect(await refusals("other"), turn).toEqual([])
  }
})

test("a rule without a free slot leaves a pair that it does not list to the other rule alone", async () => {
  world.autoMine = false
  const limits = { maxOrder: null, maxInFlight: 9, maxInFlightPerRule: 1, windows: [] }
  start({ limits }, [])
  const request = { rule: "refill", occurrence: null, from: ARB, to: WBTC, sourceUnits: 1_000n }
  expect(await admitSwap(daemon.context, request)).toMatchObject({ ok: true })
  daemon.kill()
  start({ limits }, [{ ...REFILL, sources: [ARB] }, DRAIN])
  await world.pass(20_000)
  const orders = daemon.context.journal
    .listOrders({})
    .map(({ rule, secondRule }) => [rule, secondRule ?? null])
  expect(orders).toEqual([
    ["drain", null],
    ["refill", null],
  ])
})

test(
  "a rule that cools down leaves a pair that it does not list to the other rule alone, in the " +
    "first plan",
  async () => {
    start({ cooldownMs: 600_000 }, [])
    world.faults.inject("service.submitOrder", { before: failure("refused") }, 100)
    const request = { rule: "refill", occurrence: null, from: ARB, to: WBTC, sourceUnits: 1_000n }
    expect(await admitSwap(daemon.context, request)).toMatchObject({ ok: true })
    await world.run(() =>
      daemon.context.journal.listOrders({}).some(({ outcome }) => outcome === "rejected"),
    )
    world.faults.clear("service.submitOrder")
    daemon.kill()
    start({ cooldownMs: 600_000 }, [{ ...REFILL, sources: [ARB] }, DRAIN])
    await world.pass(10_000)
    const { journal } = daemon.context
    const [order] = journal.listOrders({})
    expect([order?.rule, order?.secondRule ?? null]).toEqual(["drain", null])
    const decisions = journal.listDecisions({ rule: "drain", limit: 9 }).toReversed()
    expect(decisions[0]?.orders).toEqual([order?.id])
  },
)
