import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { createReconciler, type Reconciler } from "#engine/reconciler.ts"
import type { ReconciliationRow } from "#journal/port.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../support/fake-world.ts"
import { failure } from "../support/faults.ts"

const START_UNITS = 1_000_000n

let world: World
let daemon: Daemon
let reconciler: Reconciler
beforeEach(async () => {
  world = createWorld()
  daemon = world.start()
  reconciler = reconcilerOf(daemon)
  await cycle()
})
afterEach(() => world.close())

describe("the first comparison", () => {
  test("opens the books with what the wallets hold", () => {
    const opened = daemon.context.journal.listAccounts("equity:opening")
    expect(opened.map(({ asset, units }) => [asset, units])).toContainEqual([BTC, -START_UNITS])
    expect(opened).toHaveLength(4)
    expect(stateOf(BTC)).toBe("agrees")
  })

  test("waits where orders are under way, and opens the books when they are over", async () => {
    world.close()
    world = createWorld()
    daemon = world.start()
    reconciler = reconcilerOf(daemon)
    world.autoMine = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await world.run(() => daemon.state("order-1") === "deposit-confirming")
    await cycle()
    expect(stateOf(ETH)).toBe("unsettled")
    expect(stateOf(WBTC)).toBe("agrees")
    world.autoMine = true
    await world.run(() => daemon.state("order-1") === "completed")
    await cycle()
    expect([stateOf(ETH), stateOf(BTC)]).toEqual(["agrees", "agrees"])
    const [eth] = daemon.context.journal.listAccounts("equity:opening").filter(({ asset }) => asset === ETH)
    expect(eth?.units).toBe(-START_UNITS)
  })
})

describe("a wallet", () => {
  test("agrees to the unit after an order, whatever it cost", async () => {
    await complete()
    await cycle()
    expect([stateOf(ETH), stateOf(BTC), stateOf(WBTC)]).toEqual(["agrees", "agrees", "agrees"])
    expect(alerts()).toEqual([])
  })

  test("that holds one unit less than the books say raises an alarm within a cycle, once, and is not booked", async () => {
    await complete()
    change(ETH, -1n)
    await cycle()
    await cycle()
    expect(alerts()).toMatchObject([{ code: "books.difference", asset: ETH, differenceUnits: "-1" }])
    expect(stateOf(ETH)).toBe("difference")
    expect(daemon.context.journal.listAccounts("equity:outside")).toEqual([])
    change(ETH, -1n)
    await cycle()
    expect(alerts()).toHaveLength(2)
  })

  test("that holds less only for a moment raises none", async () => {
    change(ETH, -1n)
    const looking = reconciler.reconcile()
    await world.pass(100)
    change(ETH, 1n)
    await Promise.all([looking, world.pass(31_000)])
    expect(alerts()).toEqual([])
  })

  test("that holds less stops everything, where the configuration says so", async () => {
    reconciler = reconcilerOf(daemon, "pause")
    change(BTC, -1n)
    await cycle()
    expect(daemon.context.journal.readFlag("pause")).not.toBeNull()
  })

  test("that holds more, twice in a row and with nothing under way, was paid from outside", async () => {
    change(WBTC, 7n)
    await cycle()
    expect(stateOf(WBTC)).toBe("surplus")
    change(WBTC, 1n)
    await cycle()
    expect(stateOf(WBTC)).toBe("surplus")
    await cycle()
    expect(stateOf(WBTC)).toBe("agrees")
    expect(daemon.context.journal.listAccounts("equity:outside")).toMatchObject([{ asset: WBTC, units: -8n }])
    expect(alerts()).toEqual([])
  })

  test("whose order is under way is not said to differ by what that order may explain, but by more it is", async () => {
    world.autoMine = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await world.run(() => daemon.state("order-1") === "deposit-confirming")
    change(ETH, -10_010n)
    await cycle()
    expect(stateOf(ETH)).toBe("unsettled")
    expect(alerts()).toEqual([])
    // Within the second look the fee may have been raised, which the order may pay then.
    change(ETH, -1_000n)
    await cycle()
    expect(alerts()).toMatchObject([{ code: "books.difference", asset: ETH }])
  })

  test("that cannot be read is not taken for an empty one", async () => {
    world.faults.inject("base.fetchBalance", { before: failure("transient") }, 99)
    await cycle()
    expect(stateOf(ETH)).toBe("unreadable")
    expect(rowOf(ETH)?.chainUnits).toBe(START_UNITS)
    expect(alerts()).toEqual([])
  })
})

describe("an operator", () => {
  test("books a difference as what it was, and the books agree again", async () => {
    change(ETH, -5n)
    await cycle()
    expect(await reconciler.accept(ETH, "outside")).toEqual({ ok: true, units: -5n })
    await cycle()
    expect(stateOf(ETH)).toBe("agrees")
    expect(daemon.context.journal.listAccounts("equity:outside")).toMatchObject([{ asset: ETH, units: 5n }])
    expect(await reconciler.accept(ETH, "unexplained")).toMatchObject({
      ok: false,
      reasons: [{ code: "books.agrees" }],
    })
  })
})

function reconcilerOf({ context, engine }: Daemon, onDifference: "alert" | "pause" = "alert"): Reconciler {
  return createReconciler(context, { everyMs: 600_000, onDifference, pause: () => engine.pause({ kind: "all" }) })
}

async function cycle(): Promise<void> {
  let done = false
  const looking = reconciler.reconcile().then(() => {
    done = true
  })
  await world.run(() => done)
  await looking
}

async function complete(): Promise<void> {
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
  await world.run(() => daemon.state("order-1") === "completed")
}

/** Behind everybody's back. */
function change(asset: AssetId, units: bigint): void {
  const { balances } = (asset === BTC ? world.bitcoin : world.evm).state()
  balances.set(asset, (balances.get(asset) ?? 0n) + units)
}

function rowOf(asset: AssetId): ReconciliationRow | undefined {
  return daemon.context.journal.listReconciliations().find((row) => row.asset === asset)
}

function stateOf(asset: AssetId): string | undefined {
  return rowOf(asset)?.state
}

function alerts(): readonly Record<string, unknown>[] {
  return daemon.context.journal.listAlerts(99).map(({ reason }) => reason)
}
