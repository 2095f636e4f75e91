import { getEventListeners } from "node:events"
import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { readPause } from "#domain/pause.ts"
import { bookFee } from "#engine/orders/book-fee.ts"
import { createReconciler, type Reconciler } from "#engine/watches/reconciler.ts"
import type { PastUse } from "#ports/account-uses.ts"
import type { ReconciliationRow } from "#ports/journal/ledger.ts"
import {
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { withCapability } from "../../support/wrap-port.ts"

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

describe("the first comparison", () => {
  test("opens the books with the balances of the wallets", () => {
    const opened = daemon.context.journal.listAccounts("equity:opening")
    expect(opened.map(({ asset, units }) => [asset, units])).toContainEqual([BTC, -START_UNITS])
    expect(opened).toHaveLength(4)
    expect(stateOf(BTC)).toBe("agrees")
  })

  test("waits for orders in flight, and opens the books when they have ended", async () => {
    world.close()
    world = createWorld()
    daemon = world.start()
    reconciler = reconcilerOf(daemon)
    world.autoMine = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await daemon.reach("deposit-confirming")
    await cycle()
    expect(stateOf(ETH)).toBe("unsettled")
    expect(stateOf(WBTC)).toBe("agrees")
    world.autoMine = true
    await daemon.reach("completed")
    await cycle()
    expect([stateOf(ETH), stateOf(BTC)]).toEqual(["agrees", "agrees"])
    const [eth] = daemon.context.journal
      .listAccounts("equity:opening")
      .filter(({ asset }) => asset === ETH)
    expect(eth?.units).toBe(-START_UNITS)
  })
})

describe("a wallet", () => {
  test("agrees to the unit after every order", async () => {
    await complete()
    await cycle()
    expect([stateOf(ETH), stateOf(BTC), stateOf(WBTC)]).toEqual(["agrees", "agrees", "agrees"])
    expect(alerts()).toEqual([])
  })

  test("that holds one unit less than the books raises one alarm within a cycle, and no entry", async () => {
    await complete()
    change(ETH, -1n)
    await cycle()
    await cycle()
    expect(alerts()).toMatchObject([
      { code: "books.difference", asset: ETH, differenceUnits: "-1" },
    ])
    expect(stateOf(ETH)).toBe("difference")
    expect(daemon.context.journal.listAccounts("equity:outside")).toEqual([])
    change(ETH, -1n)
    await cycle()
    expect(alerts()).toHaveLength(2)
  })

  test("that holds less by the same amount again, after it agreed, raises a second alarm", async () => {
    change(ETH, -1n)
    await cycle()
    change(ETH, 1n)
    await cycle()
    expect([stateOf(ETH), alerts().length]).toEqual(["agrees", 1])
    change(ETH, -1n)
    await cycle()
    expect(alerts()).toHaveLength(2)
  })

  test("that holds less only for a moment raises no alarm", async () => {
    change(ETH, -1n)
    const looking = reconciler.reconcile()
    await world.pass(100)
    change(ETH, 1n)
    await Promise.all([looking, world.pass(31_000)])
    expect(alerts()).toEqual([])
  })

  test(
    "that holds less by another amount at the second look raises its alarm only when an amount " +
      "repeats",
    async () => {
      change(ETH, -1n)
      const looking = reconciler.reconcile()
      await world.pass(100)
      change(ETH, -1n)
      await Promise.all([looking, world.pass(31_000)])
      expect(alerts()).toEqual([])
      await cycle()
      expect(alerts()).toMatchObject([{ code: "books.difference", differenceUnits: "-2" }])
    },
  )

  test("is compared with the orders in flight of the same moment", async () => {
    const { context } = daemon
    const [chainId, port] = [...context.chains].find(([id]) => ETH.startsWith(`${id}:`)) ?? []
    if (!chainId || !port) throw new Error("no chain")
    let reads = 0
    const fetchBalance: typeof port.fetchBalance = async (asset, reserved) => {
      if (asset === ETH && ++reads === 1) {
        await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
        await daemon.reach("deposit-confirming")
      }
      return port.fetchBalance(asset, reserved)
    }
    world.autoMine = false
    const chains = new Map(context.chains).set(chainId, { ...port, fetchBalance })
    reconciler = reconcilerOf({ ...daemon, context: { ...context, chains } })
    await reconciler.reconcile()
    expect(reads).toBe(2)
    expect(alerts()).toEqual([])
  })

  test("that holds less pauses everything if so configured", async () => {
    reconciler = reconcilerOf(daemon, "pause")
    change(BTC, -1n)
    await cycle()
    expect(readPause(daemon.context.journal)?.alarms).toMatchObject([{ code: "books.difference" }])
    expect(daemon.engine.resume({ kind: "all" })).toMatchObject({ ok: false })
  })

  test("that holds more twice in a row, without orders in flight, was paid from outside", async () => {
    change(WBTC, 7n)
    await cycle()
    expect(stateOf(WBTC)).toBe("surplus")
    change(WBTC, 1n)
    await cycle()
    expect(stateOf(WBTC)).toBe("surplus")
    await cycle()
    expect(stateOf(WBTC)).toBe("agrees")
    expect(daemon.context.journal.listAccounts("equity:outside")).toMatchObject([
      { asset: WBTC, units: -8n },
    ])
    expect(alerts()).toEqual([])
  })

  test("differs only by more units than an order in flight can explain", async () => {
    world.autoMine = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await daemon.reach("deposit-confirming")
    change(ETH, -10_010n)
    await cycle()
    expect(stateOf(ETH)).toBe("unsettled")
    expect(alerts()).toEqual([])
    // Before the second comparison the order may have raised its fee.
    change(ETH, -1_000n)
    await cycle()
    expect(alerts()).toMatchObject([{ code: "books.difference", asset: ETH }])
  })

  test("that cannot be read does not count as empty", async () => {
    world.faults.inject("base.fetchBalance", { before: failure("transient") }, 99)
    await cycle()
    expect(stateOf(ETH)).toBe("unreadable")
    expect(rowOf(ETH)?.chainUnits).toBe(START_UNITS)
    expect(alerts()).toEqual([])
  })
})

describe("a balance that cannot be read", () => {
  test("is read again after ten seconds, without the others, until it is", async () => {
    world.faults.inject("base.fetchBalance", { before: failure("transient") }, 3)
    const stop = new AbortController()
    const pauses: number[] = []
    const unread: number[] = []
    const sleep = async (ms: number): Promise<void> => {
      pauses.push(ms)
      unread.push(reconciler.unread().length)
      if (pauses.length === 4) stop.abort()
    }
    const clock = { ...daemon.context.clock, sleep }
    reconciler = createReconciler(
      { ...daemon.context, clock },
      { everyMs: 600_000, onDifference: "alert" },
    )
    await reconciler.run(stop.signal)
    expect(pauses).toEqual([10_000, 10_000, 580_000, 600_000])
    expect(unread).toEqual([2, 1, 0, 0])
  })

  test("for a fault of our own is a comparison that fails, until one succeeds", async () => {
    const { memory, chains } = daemon.context
    const stop = new AbortController()
    const noted: unknown[] = []
    const sleep = async (): Promise<void> => {
      noted.push([...memory.faults].map(([part, { error }]) => [part, error]))
      if (noted.length === 2) stop.abort()
    }
    const context = {
      ...daemon.context,
      clock: { ...daemon.context.clock, sleep },
      get chains() {
        if (noted.length === 0) throw new Error("no such table")
        return chains
      },
    }
    reconciler = createReconciler(context, { everyMs: 600_000, onDifference: "alert" })
    await reconciler.run(stop.signal)
    expect(noted).toEqual([[["comparison of books and chains", "no such table"]], []])
  })

  test("keeps a comparison of all from no asset, and leaves no listener", async () => {
    const stop = new AbortController()
    const asked: Promise<readonly ReconciliationRow[]>[] = []
    let reads = 0
    const fetchBalance = async (): Promise<never> => {
      reads += 1
      // The first two are read again: meanwhile a coin arrives elsewhere, and a person compares.
      if (reads === 3) {
        change(BTC, 5n)
        asked.push(reconciler.reconcile())
      }
      throw failure("transient")
    }
    const listeners: number[] = []
    const sleep = async (): Promise<void> => {
      listeners.push(getEventListeners(stop.signal, "abort").length)
      await asked[0]
      if (asked.length > 0) stop.abort()
    }
    const chains = new Map(
      [...daemon.context.chains].map(([id, port]) => [
        id,
        id === chainOf(ETH) ? { ...port, fetchBalance } : port,
      ]),
    )
    reconciler = createReconciler(
      { ...daemon.context, chains, clock: { ...daemon.context.clock, sleep } },
      { everyMs: 600_000, onDifference: "alert" },
    )
    await reconciler.run(stop.signal)
    const rows = await asked[0]
    expect(rows?.find(({ asset }) => asset === BTC)?.state).toBe("surplus")
    expect(listeners).toEqual([1, 1])
  })
})

describe("a transaction that Ballast did not sign", () => {
  test.each([ETH, BTC])(
    "is an alarm that pauses everything, also when a deposit from outside makes up for it (%s)",
    async (asset) => {
      await complete()
      await cycle()
      steal(asset)
      change(asset, FEE)
      await cycle()
      expect(stateOf(asset)).toBe("agrees")
      expect(alerts()).toMatchObject([{ code: "books.foreign_transaction", chain: chainOf(asset) }])
      const pause = readPause(daemon.context.journal)
      expect(pause).toMatchObject({
        by: "alarm",
        alarms: [{ code: "books.foreign_transaction", order: null }],
      })
      await cycle()
      expect(alerts()).toHaveLength(1)
      const [alarm] = pause?.alarms ?? []
      expect(daemon.engine.resume({ kind: "all" }, [])).toMatchObject({ ok: false })
      expect(daemon.engine.resume({ kind: "all" }, [alarm?.id ?? ""])).toEqual({ ok: true })
    },
  )

  test("pauses nothing in observe mode, where another daemon may have the same key", async () => {
    restart({ settings: { mode: "observe" } })
    await cycle()
    steal(ETH)
    change(ETH, FEE)
    await cycle()
    expect(alerts()).toMatchObject([{ code: "books.foreign_transaction" }])
    expect(readPause(daemon.context.journal)).toBeNull()
  })

  test("is no alarm while it is older than the first look", async () => {
    world.close()
    world = createWorld()
    steal(ETH)
    daemon = world.start()
    reconciler = reconcilerOf(daemon)
    await cycle()
    expect(alerts()).toEqual([])
  })

  describe("in a cluster", () => {
    /** Another machine uses the wallet, and its bytes show this. */
    async function useBy(
      asset: AssetId,
      shown: Omit<PastUse, "txid"> | null,
      isCluster = true,
    ): Promise<void> {
      const name = asset === BTC ? "theft" : "nonce:0"
      restart({
        ...(isCluster
          ? { adaptContext: (context) => ({ ...context, proveLease: async () => undefined }) }
          : {}),
        adaptPort: (port) =>
          withCapability(port, "uses", {
            readUse: async (asked) => {
              expect(asked).toBe(name)
              return shown === null ? null : { txid: "theft", ...shown }
            },
          }),
      })
      await cycle()
      steal(asset)
      await cycle()
    }
    const isPaused = (): boolean =>
      alerts().some(({ code }) => code === "books.foreign_transaction")
    const native = (account: string) => daemon.context.journal.listAccounts(account)

    // Asked for by its nonce, and by its id where the family tells that.
    test.each([ETH, BTC])(
      "is no alarm if its bytes are a call that another machine makes without the log (%s)",
      async (asset) => {
        await useBy(asset, { action: "refund", feeUnits: FEE })
        expect(isPaused()).toBe(false)
        await useBy(asset, { action: "initiate", feeUnits: FEE })
        expect(isPaused()).toBe(true)
        await useBy(asset, null)
        expect(isPaused()).toBe(true)
        await useBy(asset, { action: "refund", feeUnits: FEE }, false)
        expect(isPaused()).toBe(true)
        expect(native("expenses:")).toEqual([])
      },
    )

    test.each(["refund", "redeem", "void"] as const)(
      "is booked with its fee, once (%s)",
      async (action) => {
        await useBy(ETH, { action, feeUnits: FEE })
        expect(stateOf(ETH)).toBe("agrees")
        expect(native("expenses:")).toEqual([
          { account: `expenses:network:${action}`, asset: ETH, units: FEE },
        ])
        daemon.context.journal.writeFlag(`uses/${chainOf(ETH)}/${chainOf(ETH)}/wallet`, "0")
        await cycle()
        expect(native("expenses:")).toMatchObject([{ units: FEE }])
        expect(alerts()).toEqual([])
      },
    )

    test("is not booked beside the order that has its fee", async () => {
      const { journal } = daemon.context
      const orderFee = (): readonly unknown[] =>
        journal.listEntries({}).filter(({ kind }) => kind === "fee")
      await complete()
      const [booked] = journal
        .listEntries({ orderId: "order-1" })
        .filter(({ kind }) => kind === "fee")
      const fee = {
        txid: booked?.tx ?? "",
        purpose: "refund",
        feeUnits: FEE,
        note: "",
        orderId: null,
      } as const
      await bookFee(daemon.context, chainOf(ETH), fee)
      expect(orderFee()).toEqual([booked])
    })

    test("is a difference in the books if its fee is above the caps of the wallet", async () => {
      await useBy(ETH, { action: "void", feeUnits: null })
      expect(alerts()).toMatchObject([
        { code: "books.difference", asset: ETH, differenceUnits: `-${FEE}` },
      ])
    })

    test.each([true, false])(
      "is ours if a claim without bytes has its nonce, and its fee is booked (readable: %s)",
      async (isReadable) => {
        await useSigned(isReadable ? { action: "refund", feeUnits: FEE } : null)
        expect(isPaused()).toBe(false)
        expect(native("expenses:network:refund")).toMatchObject(isReadable ? [{ units: FEE }] : [])
      },
    )

    /** The journal was rebuilt from the log, and the signer's record gave back the claim alone. */
    async function useSigned(shown: Omit<PastUse, "txid"> | null): Promise<void> {
      restart({
        adaptContext: (context) => ({ ...context, proveLease: async () => undefined }),
        adaptPort: (port) =>
          withCapability(port, "uses", {
            readUse: async () => shown && { txid: "theft", ...shown },
          }),
      })
      await complete()
      await cycle()
      const chain = chainOf(ETH)
      const claim = {
        orderId: "order-1",
        purpose: "refund",
        chain,
        account: `${chain}/wallet`,
        attempt: 0,
      } as const
      const rest = {
        digest: "d",
        resources: [`nonce:${world.evm.state().nonce}`],
        plan: null,
        atMs: 1,
      }
      daemon.context.journal.restoreSignature({ ...claim, ...rest }, true)
      steal(ETH)
      await cycle()
    }
  })

  test("is found at the next look when the node does not answer", async () => {
    steal(ETH)
    world.faults.inject("base.fetchUses", { before: failure("transient") }, 1)
    await cycle()
    expect(alerts()).toMatchObject([{ code: "books.difference" }])
    await cycle()
    expect(alerts().map(({ code }) => code)).toContain("books.foreign_transaction")
  })
})

test("what leaves a watched wallet went outside, and is no alarm", async () => {
  restart({ adaptPort: (port) => ({ ...port, isWatchOnly: true }) })
  await cycle()
  change(ETH, -5n)
  await cycle()
  await cycle()
  expect([stateOf(ETH), alerts()]).toEqual(["agrees", []])
  expect(daemon.context.journal.listAccounts("equity:outside")).toMatchObject([
    { asset: ETH, units: 5n },
  ])
})

describe("an operator", () => {
  test("books a difference under its cause, and the books agree again", async () => {
    change(ETH, -5n)
    await cycle()
    expect(await reconciler.accept(ETH, "outside")).toEqual({ ok: true, units: -5n })
    await cycle()
    expect(stateOf(ETH)).toBe("agrees")
    expect(daemon.context.journal.listAccounts("equity:outside")).toMatchObject([
      { asset: ETH, units: 5n },
    ])
    expect(await reconciler.accept(ETH, "unexplained")).toMatchObject({
      ok: false,
      reasons: [{ code: "books.agrees" }],
    })
  })
})

function restart(options: StartOptions): void {
  world.close()
  world = createWorld()
  daemon = world.start(options)
  reconciler = reconcilerOf(daemon)
}

function reconcilerOf({ context }: Daemon, onDifference: "alert" | "pause" = "alert"): Reconciler {
  return createReconciler(context, { everyMs: 600_000, onDifference })
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
  await daemon.reach("completed")
}

/** A transfer that Ballast does not know of. */
function change(asset: AssetId, units: bigint): void {
  const { balances } = (asset === BTC ? world.bitcoin : world.evm).state()
  balances.set(asset, (balances.get(asset) ?? 0n) + units)
}

const FEE = 7n

/** Another program with our key uses the next nonce, or a coin. */
function steal(asset: AssetId): void {
  const ledger = asset === BTC ? world.bitcoin : world.evm
  const { nonce, outpoints } = ledger.state()
  const resources = asset === BTC ? [...outpoints.keys()].slice(0, 1) : [`nonce:${nonce}`]
  ledger.submit({ txid: "theft", fee: FEE, resources, action: { kind: "void" } })
  ledger.mine()
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
