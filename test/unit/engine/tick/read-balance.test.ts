import { beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { isSame, readBalance } from "#engine/rules/tick/read-balance.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import { positionUnits } from "#policy/treasury-view.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../../support/fake-world.ts"
import { failure, never } from "../../../support/faults.ts"
import { flight } from "./sample-flight.ts"

const START_UNITS = 1_000_000n
const UNITS = 10_000n
/** 30 basis points. */
const PAID = 9_970n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

/** Advances the clock as fast as possible during the read of a balance. */
async function read(asset: AssetId): Promise<AssetView["balance"]> {
  let found: AssetView["balance"] | null = null
  const reading = readBalance(daemon.context, asset).then((balance) => {
    found = balance
  })
  await world.run(() => found !== null, 60_000)
  await reading
  if (found === null) throw new Error("not read")
  return found
}

async function positionOf(asset: AssetId): Promise<bigint> {
  const balance = await read(asset)
  if (!balance.readable) throw new Error(`${asset}: ${balance.cause.message}`)
  return positionUnits(balance)
}

describe("an order in flight", () => {
  test.each([
    ["between account chains", ETH, BTC, "onchain"],
    ["of a token", WBTC, ARB, "onchain"],
    ["without gas", WBTC, ARB, "gasless"],
    ["from Bitcoin", BTC, ARB, "onchain"],
  ] as const)("counts as done at every moment of its life: %s", async (_name, from, to, way) => {
    daemon = world.start({ policy: { way } })
    await daemon.engine.submit({ from, to, sourceUnits: UNITS })
    for (let turn = 0; daemon.state("order-1") !== "completed"; turn++) {
      expect(turn).toBeLessThan(300)
      // It may differ by network fees of a few units only.
      const source = await positionOf(from)
      const destination = await positionOf(to)
      expect(START_UNITS - UNITS - source, daemon.state("order-1")).toBeLessThanOrEqual(100n)
      expect(START_UNITS - UNITS - source).toBeGreaterThanOrEqual(0n)
      expect(destination, daemon.state("order-1")).toBe(START_UNITS + PAID)
      await world.pass(100)
    }
    expect(await positionOf(to)).toBe(START_UNITS + PAID)
  })

  test("that waits for its refund counts as refunded, and its payout does not count", async () => {
    daemon = world.start()
    world.service.conduct.fills = false
    world.service.conduct.takesSource = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await world.run(() => daemon.state("order-1").startsWith("refund-"))
    while (daemon.state("order-1") !== "refunded") {
      expect(await positionOf(ETH), daemon.state("order-1")).toBeGreaterThan(START_UNITS - 100n)
      expect(await positionOf(ETH)).toBeLessThanOrEqual(START_UNITS)
      expect(await positionOf(BTC)).toBe(START_UNITS)
      await world.pass(5_000)
    }
    expect(await positionOf(ETH)).toBeGreaterThan(START_UNITS - 100n)
  })

  test("with a deposit in a block above that of the balance makes the balance unclear", async () => {
    daemon = world.start()
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("deposit-confirming")
    const { context } = daemon
    const [chainId, chain] = [...context.chains].find(([id]) => ETH.startsWith(`${id}:`)) ?? []
    if (!chainId || !chain) throw new Error("no chain")
    // A node with balances from an older block than its transactions, as with different
    // commitments.
    const height = await chain.fetchHeight()
    const balance = await chain.fetchBalance(ETH, new Set())
    const older = {
      ...chain,
      observeTransaction: chain.observeTransaction,
      fetchHeight: async () => height,
      fetchBalance: async () => balance,
    }
    world.evm.mine()
    const lagging = { ...context, chains: new Map(context.chains).set(chainId, older) }
    expect(await readBalance(lagging, ETH)).toMatchObject({
      readable: false,
      cause: { code: "view.unsteady" },
    })
    expect(await positionOf(ETH)).toBeLessThanOrEqual(START_UNITS - UNITS)
  })

  test("is counted with a balance that stays the same during the read", async () => {
    daemon = world.start()
    world.serviceActs = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("funded")
    const before = await read(ETH)
    world.faults.inject("base.fetchBalance", { lie: () => ({ units: 5n, spendableUnits: 5n }) }, 1)
    expect(await read(ETH)).toEqual(before)
  })

  test("is counted with a whole balance that stays the same, where a mempool changes it", async () => {
    daemon = world.start()
    world.serviceActs = false
    await daemon.engine.submit({ from: BTC, to: ETH, sourceUnits: UNITS })
    await daemon.reach("funded")
    const before = await read(BTC)
    if (!before.readable) throw new Error("unreadable")
    const { spendableUnits } = before
    world.faults.inject("bitcoin.fetchBalance", { lie: () => ({ units: 5n, spendableUnits }) }, 1)
    expect(await read(BTC)).toEqual(before)
    const shown = { units: spendableUnits, spendableUnits: 5n }
    world.faults.inject("bitcoin.fetchBalance", { lie: () => shown }, 1)
    expect(await read(BTC)).toEqual(before)
  })

  test.each([
    [ETH, START_UNITS - UNITS - 10n],
    [BTC, START_UNITS + PAID],
  ])("that is signed and paid during a slow read counts once in %s", async (asset, expected) => {
    daemon = world.start()
    const chain = asset === ETH ? "base" : "bitcoin"
    world.faults.inject("service.submitOrder", { delayMs: 1_000 }, 1)
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("creating")
    world.faults.inject(`${chain}.fetchHeight`, { delayMs: 15_000 }, 1)
    expect(await positionOf(asset)).toBe(expected)
  })

  test("without a quote makes the balance of its destination unknown", async () => {
    daemon = world.start()
    world.faults.inject("service.fetchQuotes", { before: failure("transient") }, 1_000)
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    expect(await read(BTC)).toMatchObject({
      readable: false,
      cause: { code: "policy.amount_unknown", order: "order-1" },
    })
    expect(await positionOf(ETH)).toBe(START_UNITS - UNITS)
  })
})

describe("a balance", () => {
  beforeEach(() => {
    daemon = world.start()
  })

  test(
    "reserves the fees of a deposit and its refund when the asset pays them, and nothing " +
      "otherwise",
    async () => {
      expect(await read(ETH)).toMatchObject({ spendableUnits: START_UNITS, floorUnits: 20n })
      expect(await read(WBTC)).toMatchObject({ spendableUnits: START_UNITS, floorUnits: 0n })
    },
  )

  test.each(["fetchBalance", "estimateFees", "fetchHeight"])(
    "whose node fails at %s is unreadable, and never zero",
    async (method) => {
      world.faults.inject(`base.${method}`, { before: failure("hold", "evm.nonsense") }, 10)
      expect(await read(ETH)).toMatchObject({ readable: false, cause: { code: "evm.nonsense" } })
    },
  )

  test("of a silent node times out, and the others do not", async () => {
    world.faults.inject("base.fetchBalance", { lie: never }, 10)
    expect(await read(ETH)).toMatchObject({ readable: false, cause: { code: "view.silent" } })
    expect(await read(BTC)).toMatchObject({ readable: true })
  })

  test("of a node below a height that it has shown before is not used", async () => {
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("completed")
    for (const [asset, chain] of [
      [ETH, "base"],
      [BTC, "bitcoin"],
    ] as const) {
      world.faults.inject(`${chain}.fetchHeight`, { lie: () => 0n }, 1)
      expect(await read(asset)).toMatchObject({
        readable: false,
        cause: { code: "view.node_behind", height: "0" },
      })
      expect(await read(asset)).toMatchObject({ readable: true })
    }
  })

  test("of Bitcoin with an unconfirmed payment is unclear only while a payout is expected", async () => {
    const waiting = { lie: () => ({ units: START_UNITS + PAID, spendableUnits: START_UNITS }) }
    world.faults.inject("bitcoin.fetchBalance", waiting, 1)
    expect(await read(BTC)).toMatchObject({ readable: true, spendableUnits: START_UNITS + PAID })
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("funded")
    world.serviceActs = false
    world.faults.inject("bitcoin.fetchBalance", waiting, 2)
    expect(await read(BTC)).toMatchObject({ readable: false, cause: { code: "view.unsteady" } })
  })

  test("of a chain that is not configured is unreadable", async () => {
    daemon = { ...daemon, context: { ...daemon.context, chains: new Map() } }
    expect(await read(ETH)).toMatchObject({
      readable: false,
      cause: { code: "config.chain_missing" },
    })
  })
})

test(
  "orders count in the same way when each had no step, or one without a change for the asset, " +
    "in any order of the list",
  () => {
    const a = flight("a")
    const b = flight("b")
    expect(isSame([a, b], [a, b], ETH)).toBe(true)
    expect(isSame([a, b], [b, a], ETH)).toBe(true)
    expect(isSame([a, b], [a, flight("b")], ETH)).toBe(true)
    expect(isSame([a, b], [a, flight("b", { payoutUnits: 3n })], ETH)).toBe(true)
    expect(isSame([a, b], [a, flight("b", { payoutUnits: 3n })], BTC)).toBe(false)
    expect(isSame([a, b], [a, flight("b", { mayHaveLeft: true })], ETH)).toBe(false)
    const moved = flight("a", { mayHaveLeft: true })
    expect(isSame([a, b], [moved, flight("b")], ETH)).toBe(false)
    expect(isSame([a, b], [flight("b"), flight("a")], ETH)).toBe(true)
    expect(isSame([a, b], [a], ETH)).toBe(false)
    expect(isSame([a, b], [a, flight("c")], ETH)).toBe(false)
  },
)
