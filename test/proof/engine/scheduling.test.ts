import { describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { isFinal } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  POLICY,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { lostUnits } from "../../support/money.ts"

const UNITS = 1_000n
const CROWD = 60
/** A silent node costs a caller this long per call: three tries of ten seconds. */
const TIMEOUT_MS = 30_000
const LIMITS = { maxOrder: null, maxInFlight: 100, windows: [] }

let world: World

/** A world in which the nodes of one chain can fall silent: each call then ends with a time-out. */
function createSilenceable(chain: string): { daemon: Daemon; fallSilent: () => void } {
  world = createWorld()
  let silent = false
  const adaptPort = (port: ChainPort): ChainPort =>
    port.chain !== chain ? port : slowDown(port, () => silent)
  const daemon = world.start({ settings: { limits: LIMITS }, adaptPort })
  return {
    daemon,
    fallSilent: () => {
      silent = true
    },
  }
}

const PURE = ["isAddress", "sameAddress", "decodeDeposit"]

function slowDown(port: ChainPort, isSilent: () => boolean): ChainPort {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== "function" || PURE.includes(String(key))) return value
      return async (...args: unknown[]) => {
        if (!isSilent()) return Reflect.apply(value, target, args)
        await world.clock.sleep(TIMEOUT_MS)
        throw failure("transient")
      }
    },
  })
}

async function fund(
  daemon: Daemon,
  from: AssetId,
  to: AssetId,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push(await daemon.accept(from, to, UNITS))
  await world.run(() => ids.every((id) => daemon.state(id) === "funded"))
  return ids
}

/**
 * The time until a refund of `from` to `to` is back, while `crowd` orders are on the silent chain.
 */
async function timeRefund(from: AssetId, to: AssetId, crowd: number): Promise<number> {
  const { daemon, fallSilent } = createSilenceable("arbitrum_sepolia")
  world.serviceActs = false
  await fund(daemon, ARB, BTC, crowd / 2)
  await fund(daemon, ETH, ARB, crowd)
  const [id = ""] = await fund(daemon, from, to, 1)
  const startMs = world.clock.now()
  if (crowd > 0) fallSilent()
  await daemon.reach("refunded", id, 3 * 3_600_000)
  return world.clock.now() - startMs
}

describe("a chain whose nodes are silent", () => {
  test.each([
    { name: "between healthy chains", from: WBTC, to: BTC },
    { name: "from a healthy chain to the silent one", from: ETH, to: ARB },
  ])(
    "delays no refund $name by more than a tenth, even with 60 orders on it",
    async ({ from, to }) => {
      const alone = await timeRefund(from, to, 0)
      world.close()
      const crowded = await timeRefund(from, to, CROWD)
      expect(crowded).toBeLessThanOrEqual(alone * 1.1)
    },
    60_000,
  )

  test("delays no new order between healthy chains", async () => {
    const { daemon, fallSilent } = createSilenceable("arbitrum_sepolia")
    world.serviceActs = false
    await fund(daemon, ARB, BTC, CROWD)
    fallSilent()
    await world.pass(120_000)
    world.serviceActs = true
    const startMs = world.clock.now()
    const id = await daemon.accept(ETH, BTC, UNITS)
    await daemon.reach("completed", id)
    expect(world.clock.now() - startMs).toBeLessThan(60_000)
  }, 60_000)
})

describe("orders that wait for a slot or a lane", () => {
  test("delay no refund by more than a tenth, even if 60 wait for a quote", async () => {
    const timeWith = async (crowd: number): Promise<number> => {
      world = createWorld()
      const daemon = world.start({ settings: { limits: LIMITS } })
      world.serviceActs = false
      const [id = ""] = await fund(daemon, ETH, BTC, 1)
      world.faults.inject("service.fetchQuotes", { delayMs: 600_000 }, 10_000)
      const startMs = world.clock.now()
      for (let index = 0; index < crowd; index++) void daemon.accept(WBTC, BTC, UNITS)
      await daemon.reach("refunded", id, 3 * 3_600_000)
      const states = daemon.context.journal.listOrders({ limit: 100 }).map(({ state }) => state)
      expect(states.filter((state) => state === "quoting").length).toBeGreaterThanOrEqual(crowd / 2)
      return world.clock.now() - startMs
    }
    const alone = await timeWith(0)
    world.close()
    expect(await timeWith(CROWD)).toBeLessThanOrEqual(alone * 1.1)
  }, 60_000)

  test("all get their turn: refunds first, deposits too", async () => {
    world = createWorld()
    const daemon = world.start({ settings: { limits: LIMITS } })
    world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 10_000)
    const ids: string[] = []
    for (let index = 0; index < CROWD; index++) ids.push(await daemon.accept(ETH, BTC, UNITS))
    await world.run(() => ids.every((id) => isFinal(daemon.state(id))))
    expect(ids.map((id) => daemon.state(id))).toEqual(ids.map(() => "completed"))
  }, 60_000)
})

describe("an order that waits", () => {
  test(
    "for the allowance of another order writes nothing until that allowance is free, and then " +
      "goes on at once",
    async () => {
      world = createWorld()
      const daemon = world.start({ settings: { limits: LIMITS } })
      world.autoMine = false
      const first = await daemon.accept(WBTC, BTC, UNITS)
      await daemon.reach("approve-confirming", first)
      const second = await daemon.accept(WBTC, BTC, UNITS)
      await daemon.reach("allowing", second)
      await world.pass(2_000)
      const before = daemon.context.journal.listEvents(second).length
      await world.pass(20_000)
      expect(daemon.context.journal.listEvents(second)).toHaveLength(before)
      world.autoMine = true
      await daemon.reach("funded", first)
      await world.pass(100)
      expect(daemon.state(second)).not.toBe("allowing")
      await daemon.reach("completed", second)
      expect(lostUnits(world, WBTC)).toBe(2n * UNITS)
    },
  )

  test("for an allowance beyond its own time to deposit ends", async () => {
    world = createWorld()
    const daemon = world.start({
      settings: { limits: LIMITS },
      policy: { ...POLICY, depositWindowMs: 120_000 },
    })
    world.autoMine = false
    const first = await daemon.accept(WBTC, BTC, UNITS)
    await daemon.reach("approve-confirming", first)
    const second = await daemon.accept(WBTC, BTC, UNITS)
    await daemon.reach("rejected", second, 70 * 60_000)
  })

  test("for the end of a pause writes nothing, and goes on at once when it ends", async () => {
    world = createWorld()
    const daemon = world.start({ settings: { limits: LIMITS } })
    world.faults.inject("service.fetchQuotes", { before: failure("transient") })
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.engine.pause({ kind: "all" })
    // The answer to the request that was under way.
    await world.pass(1)
    const before = daemon.commits()
    await world.pass(60_000)
    expect(daemon.commits()).toBe(before)
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("completed", "order-1", 120_000)
  })
})
