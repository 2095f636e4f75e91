import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { createReconciler } from "#engine/watches/reconciler.ts"
import { silentLogger } from "#lib/log.ts"
import { encodeOrder } from "#order/step.ts"
import type { ReconciliationRow } from "#ports/journal/ledger.ts"
import type { OrderRef } from "#ports/journal/orders.ts"
import { BTC, ETH, WBTC } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

const NOW = 1_000_000
const CHAIN = chainOf(ETH)
const USDC = parseAssetId(`${CHAIN}:usdc`)

type Scene = {
  readonly assets?: readonly AssetId[]
  /** In the wallets of the chain, and of the books. */
  readonly chain?: Readonly<Record<string, bigint | Error>>
  readonly books?: Readonly<Record<string, bigint>>
  readonly opened?: boolean
  readonly known?: Partial<ReconciliationRow>
  readonly prices?: (asset: AssetId) => Promise<{ fiat: bigint } | null>
  readonly native?: bigint
  readonly isWatchOnly?: boolean
  readonly onDifference?: "alert" | "pause"
  readonly everyMs?: number
  /** Of each account of rent. */
  readonly rents?: Readonly<Record<string, bigint>>
  readonly rentState?: string
  readonly leg?: object
  readonly refs?: readonly OrderRef[]
  readonly during?: (books: Map<string, bigint>) => void
}

function scene(given: Scene) {
  const { assets = [ETH], chain = {}, opened = true, onDifference = "alert" } = given
  const { everyMs = 60_000, rents = {} } = given
  const clock = createManualClock(NOW)
  const books = new Map(Object.entries(given.books ?? {}))
  const rows = new Map<string, ReconciliationRow>()
  const booked: { key: string; kind: string; postings: readonly object[] }[] = []
  const closed: string[] = []
  const alerts: unknown[][] = []
  const reads: string[] = []
  if (given.known !== undefined)
    rows.set(ETH, {
      asset: ETH,
      state: "agrees",
      ledgerUnits: null,
      chainUnits: null,
      alarmedUnits: null,
      atMs: 1,
      sinceMs: 1,
      ...given.known,
    } as ReconciliationRow)
  const port = (asset: AssetId) => ({
    chain: chainOf(asset),
    account: "us",
    traits: familyNamed(asset === BTC ? "bitcoin" : "evm").traits,
    sameAddress: (a: string, b: string) => a === b,
    isWatchOnly: given.isWatchOnly === true,
    fetchBalance: async (id: AssetId) => {
      reads.push(id)
      given.during?.(books)
      const units = chain[id] ?? 0n
      if (units instanceof Error) throw units
      return { units, spendableUnits: units }
    },
    ...(given.native === undefined
      ? {}
      : { native: { fetchNativeBalance: async () => given.native } }),
    observeLeg: async () => ({ ...emptyLeg(9n), ...given.leg }),
  })
  const rentRows = Object.entries(rents).map(([order, units]) => {
    return { account: `assets:rent:${order}`, asset: ETH, units }
  })
  const journal = {
    listOpenRefs: () => given.refs ?? [],
    listEndedRefs: () => [],
    listAccounts: (prefix: string) =>
      prefix.startsWith("assets:rent:")
        ? rentRows
        : [...books].map(([asset, units]) => {
            return { account: `assets:wallet:${asset.split(":")[0]}`, asset, units }
          }),
    listEntries: ({ key }: { key: string }) =>
      opened || booked.some((one) => one.key === key) ? [{}] : [],
    listReconciliations: () => [...rows.values()],
    saveReconciliation: (row: ReconciliationRow) => void rows.set(row.asset, row),
    book: (
      { add }: { add: readonly (typeof booked)[number][] },
      { orderId }: { orderId: string | null },
    ) => {
      booked.push(...add)
      if (orderId !== null) closed.push(orderId)
    },
    raiseAlert: (...row: unknown[]) => void alerts.push(row),
    findOrder: () => ({
      ...ORDER_ROW,
      state: given.rentState ?? "completed",
      from: ETH,
      snapshot: encodeOrder({ state: "completed", data: sampleData() }),
    }),
    readFlag: () => null,
    noteFlag: () => undefined,
  }
  const context = {
    journal,
    chains: new Map([ETH, BTC].map((asset) => [chainOf(asset), port(asset)])),
    settings: {
      assets: new Map(assets.map((id) => [id, asset(id)])),
      mode: "live",
    },
    prices: { fetchPrice: given.prices ?? (async () => ({ fiat: 3n })) },
    clock,
    log: silentLogger,
    memory: createMemory(),
    // CAST: the reconciler reads only these parts.
  } as unknown as Parameters<typeof createReconciler>[0]
  const reconciler = createReconciler(context, { everyMs, onDifference })
  const cycle = async (recheckMs = 30_000) => {
    const done = reconciler.reconcile()
    await settle()
    clock.set(clock.now() + recheckMs)
    await done
    return rows.get(ETH)
  }
  return { reconciler, cycle, rows, booked, closed, alerts, reads, clock, books, chain }
}

function asset(id: AssetId) {
  const symbol = id.split(":")[1] ?? ""
  return { id, chain: chainOf(id), symbol, decimals: 1, token: symbol === "eth" ? null : "0x1" }
}

describe("the compared assets", () => {
  const assetsOf = async (given: Scene) => {
    const { cycle, rows } = scene(given)
    await cycle()
    return [...rows.keys()].sort()
  }
  test("are the configured ones, the coins of fees, and those of the books", async () => {
    expect(await assetsOf({ assets: [USDC] })).toEqual([USDC])
    expect(await assetsOf({ assets: [USDC], native: 1n })).toEqual(
      [USDC, `${CHAIN}:native`, `${chainOf(BTC)}:native`].sort(),
    )
    expect(await assetsOf({ assets: [USDC], books: { [WBTC]: 1n } })).toEqual([USDC, WBTC].sort())
    expect(await assetsOf({ assets: [USDC], books: { "gone:btc": 1n } })).toEqual([USDC])
    expect(await assetsOf({ assets: [ETH], books: { [ETH]: 1n }, native: 1n })).toContain(ETH)
  })

  test("that are not configured are read as the chain's coin, or not at all", async () => {
    const native = `${CHAIN}:native`
    const of = async (units?: bigint) => {
      const books = { [native]: 5n }
      const given = { assets: [USDC], books, ...(units === undefined ? {} : { native: units }) }
      const { cycle, rows } = scene(given)
      await cycle()
      return rows.get(native)?.state
    }
    expect([await of(5n), await of()]).toEqual(["agrees", "unreadable"])
  })
})

describe("a first comparison", () => {
  test("opens the books by the difference, with its worth", async () => {
    const { cycle, booked } = scene({ opened: false, chain: { [ETH]: 20n } })
    expect(await cycle()).toMatchObject({ state: "agrees", ledgerUnits: 20n, chainUnits: 20n })
    expect(booked).toEqual([
      {
        key: `opening:${ETH}`,
        kind: "opening",
        tx: null,
        note: null,
        postings: [
          { account: `assets:wallet:${CHAIN}`, asset: ETH, units: 20n, fiat: 6n },
          { account: "equity:opening", asset: ETH, units: -20n, fiat: -6n },
        ],
      },
    ])
  })

  test("of an empty wallet opens them without a posting", async () => {
    const { cycle, booked } = scene({ opened: false })
    await cycle()
    expect(booked).toMatchObject([{ kind: "opening", postings: [] }])
  })

  test.each<[string, NonNullable<Scene["prices"]>]>([
    ["has no price", async () => null],
    ["is silent", () => Promise.reject(failure("transient"))],
  ])("has no worth where the source of prices %s", async (_what, prices) => {
    const { cycle, booked } = scene({ opened: false, chain: { [ETH]: 20n }, prices })
    await cycle()
    expect(booked[0]?.postings).toMatchObject([{ fiat: null }, { fiat: null }])
  })

  test("fails where the source of prices fails by a mistake", async () => {
    for (const error of [new Error("x"), failure("refused")]) {
      const { reconciler } = scene({ prices: () => Promise.reject(error) })
      await expect(reconciler.reconcile()).rejects.toBe(error)
    }
  })
})

describe("a wallet with less than the books say", () => {
  const less = { chain: { [ETH]: 7n }, books: { [ETH]: 10n } }
  test("is an alarm once the same units are missing half a minute later", async () => {
    const { cycle, alerts, rows, reads } = scene(less)
    await cycle()
    expect(alerts).toMatchObject([
      [
        NOW + 30_000,
        { code: "books.difference", differenceUnits: "-3", ledgerUnits: "10", chainUnits: "7" },
        "alert",
      ],
    ])
    expect(rows.get(ETH)).toMatchObject({ state: "difference", alarmedUnits: -3n })
    expect(reads).toEqual([ETH, ETH])
    await cycle()
    expect(alerts).toHaveLength(1)
  })

  test("is compared again no later than the next cycle", async () => {
    const { reconciler, clock, alerts } = scene({ ...less, everyMs: 5_000 })
    const done = reconciler.reconcile()
    await settle()
    clock.set(NOW + 4_999)
    await settle()
    expect(alerts).toEqual([])
    clock.set(NOW + 5_000)
    await done
    expect(alerts).toHaveLength(1)
    const slow = scene(less)
    const later = slow.reconciler.reconcile()
    await settle()
    slow.clock.set(NOW + 29_999)
    await settle()
    expect(slow.alerts).toEqual([])
    slow.clock.set(NOW + 30_000)
    await later
    expect(slow.alerts).toHaveLength(1)
  })

  test("is none where other units are missing then", async () => {
    const units = [7n, 8n]
    const chain = { [ETH]: 7n }
    const { cycle, alerts } = scene({
      ...less,
      chain,
      during: () => void Object.assign(chain, { [ETH]: units.shift() ?? 8n }),
    })
    await cycle()
    expect(alerts).toEqual([])
  })

  test("pauses where that is set, and tells the worth of the loss", async () => {
    const { cycle, alerts } = scene({ ...less, onDifference: "pause" })
    await cycle()
    expect(alerts[0]?.[2]).toBe("pause")
    expect(JSON.stringify(alerts[0]?.[1])).toContain("worth 0")
    const unknown = scene({ ...less, prices: async () => null })
    await unknown.cycle()
    expect(JSON.stringify(unknown.alerts[0]?.[1])).not.toContain("worth")
  })

  test("that is only watched was taken from by its owner", async () => {
    const { cycle, alerts, booked } = scene({ ...less, isWatchOnly: true })
    expect(await cycle()).toMatchObject({ state: "agrees", ledgerUnits: 7n })
    expect(alerts).toEqual([])
    expect(booked).toMatchObject([{ kind: "outside", postings: [{ units: -3n }, { units: 3n }] }])
  })

  test("has its alarm already where the same units were told", async () => {
    const known = { alarmedUnits: -3n, state: "unsettled" as const }
    const { cycle, alerts } = scene({ ...less, known })
    expect(await cycle()).toMatchObject({ state: "difference", alarmedUnits: -3n })
    expect(alerts).toEqual([])
    const other = scene({ ...less, known: { alarmedUnits: -2n } })
    await other.cycle()
    expect(other.alerts).toHaveLength(1)
  })
})

describe("a wallet with more than the books say", () => {
  const more = { chain: { [ETH]: 13n }, books: { [ETH]: 10n } }
  test("was paid from outside once it is seen twice", async () => {
    const { cycle, booked } = scene(more)
    expect(await cycle()).toMatchObject({ state: "surplus", ledgerUnits: 10n, chainUnits: 13n })
    expect(booked).toEqual([])
    expect(await cycle()).toMatchObject({ state: "agrees", ledgerUnits: 13n })
    expect(booked).toMatchObject([{ kind: "outside", postings: [{ units: 3n }, { units: -3n }] }])
  })

  test.each<[string, Partial<ReconciliationRow>]>([
    ["another surplus", { state: "surplus", ledgerUnits: 10n, chainUnits: 12n }],
    ["no surplus", { state: "unsettled", ledgerUnits: 10n, chainUnits: 13n }],
    ["a surplus of unknown books", { state: "surplus", ledgerUnits: null, chainUnits: 13n }],
    ["a surplus of an unknown wallet", { state: "surplus", ledgerUnits: 10n, chainUnits: null }],
  ])("waits where it was %s before", async (_what, known) => {
    const { cycle, booked } = scene({ ...more, known })
    expect((await cycle())?.state).toBe("surplus")
    expect(booked).toEqual([])
  })
})

describe("what a comparison keeps", () => {
  test("is the last units of a wallet that cannot be read, and since when", async () => {
    const known = {
      state: "agrees" as const,
      ledgerUnits: 5n,
      chainUnits: 5n,
      alarmedUnits: -1n,
      sinceMs: 3,
    }
    const { cycle } = scene({ known, chain: { [ETH]: failure("transient") } })
    expect(await cycle()).toMatchObject({
      state: "unreadable",
      ledgerUnits: 5n,
      chainUnits: 5n,
      alarmedUnits: -1n,
      sinceMs: NOW,
      atMs: NOW,
    })
  })

  test("is the time since which a state lasts, and no alarm once it agrees", async () => {
    const known = { state: "agrees" as const, alarmedUnits: -1n, sinceMs: 3 }
    const { cycle } = scene({ known })
    expect(await cycle()).toMatchObject({ sinceMs: 3, atMs: NOW, alarmedUnits: null })
  })

  test("is nothing of books that change while the chain is read, three times in a row", async () => {
    let changes = 2
    const during = (books: Map<string, bigint>) => {
      if (changes-- > 0) books.set(ETH, (books.get(ETH) ?? 0n) + 1n)
    }
    const twice = scene({ books: { [ETH]: 1n }, chain: { [ETH]: 3n }, during })
    expect((await twice.cycle())?.state).toBe("agrees")
    expect(twice.reads).toHaveLength(3)
    changes = 3
    const thrice = scene({ books: { [ETH]: 1n }, chain: { [ETH]: 4n }, during })
    expect((await thrice.cycle())?.state).toBe("unsettled")
    expect(thrice.reads).toHaveLength(3)
  })

  test("fails by a mistake of ours in a read", async () => {
    const mistake = new Error("x")
    await expect(scene({ chain: { [ETH]: mistake } }).reconciler.reconcile()).rejects.toBe(mistake)
  })
})

describe("an operator's acceptance", () => {
  test("books the difference under its name", async () => {
    const { reconciler, booked, rows } = scene({ chain: { [ETH]: 7n }, books: { [ETH]: 10n } })
    expect(await reconciler.accept(ETH, "unexplained")).toEqual({ ok: true, units: -3n })
    expect(booked).toMatchObject([
      {
        key: `unexplained:${ETH}:${NOW}`,
        kind: "unexplained",
        postings: [{ units: -3n }, { units: 3n }],
      },
    ])
    expect(rows.get(ETH)).toMatchObject({ state: "agrees", ledgerUnits: 7n, chainUnits: 7n })
  })

  test("of nothing is refused, and so is one of an unread wallet", async () => {
    const agrees = await scene({}).reconciler.accept(ETH, "outside")
    expect(agrees).toMatchObject({ ok: false, reasons: [{ code: "books.agrees" }] })
    const chain = { [ETH]: failure("transient") }
    const unread = await scene({ chain }).reconciler.accept(ETH, "outside")
    expect(unread).toMatchObject({ ok: false, reasons: [{ code: "books.unreadable" }] })
  })
})

describe("the rent of an order that has ended", () => {
  const taken = { txid: "x", final: true, releasedUnits: 4n }
  const rents = { "order-1": 4n }
  const counted = async (given: Scene) => {
    const { cycle, closed } = scene({ rents, ...given })
    const row = await cycle()
    return { closed: closed.length, state: row?.state }
  }

  test("is under way to the wallet while the chain holds it", async () => {
    expect(await counted({ chain: { [ETH]: 4n } })).toEqual({ closed: 0, state: "unsettled" })
  })

  test.each<[string, object, number]>([
    ["redeemed", { redeemed: taken }, 1],
    ["refunded", { refunded: taken }, 1],
    ["redeemed a moment ago", { redeemed: { ...taken, final: false } }, 0],
    ["redeemed without rent", { redeemed: { txid: "x", final: true } }, 0],
    ["open", {}, 0],
  ])("is booked once its HTLC is %s", async (_what, leg, closed) => {
    expect((await counted({ leg })).closed).toBe(closed)
  })

  test("is not looked for while the order is open", async () => {
    const open = { leg: { redeemed: taken }, rentState: "funded" }
    expect((await counted(open)).closed).toBe(0)
  })
})

describe("the cycles", () => {
  test("run at once and then at their pace, until they are stopped", async () => {
    const { reconciler, clock, reads } = scene({ everyMs: 1_000 })
    const stop = new AbortController()
    const running = reconciler.run(stop.signal)
    await settle()
    expect(reads).toHaveLength(1)
    clock.set(NOW + 999)
    await settle()
    expect(reads).toHaveLength(1)
    clock.set(NOW + 1_000)
    await settle()
    expect(reads).toHaveLength(2)
    stop.abort()
    await running
    clock.set(NOW + 9_000)
    await settle()
    expect(reads).toHaveLength(2)
  })

  test("go on after one that fails", async () => {
    let fails = true
    const prices = async () => {
      if (fails) throw new Error("x")
      return null
    }
    const { reconciler, clock, rows } = scene({ everyMs: 1_000, prices })
    const stop = new AbortController()
    const running = reconciler.run(stop.signal)
    await settle()
    fails = false
    clock.set(NOW + 1_000)
    await settle()
    expect(rows.get(ETH)?.state).toBe("agrees")
    stop.abort()
    await running
  })

  test("wait for no node once they are stopped, and write nothing after that", async () => {
    const answer = Promise.withResolvers<{ fiat: bigint } | null>()
    const { reconciler, rows } = scene({ prices: () => answer.promise })
    const stop = new AbortController()
    const running = reconciler.run(stop.signal)
    await settle()
    stop.abort()
    await running
    answer.resolve(null)
    await settle()
    expect(rows.size).toBe(0)
  })

  test("that are asked for together are one", async () => {
    const { reconciler, reads } = scene({})
    await Promise.all([reconciler.reconcile(), reconciler.reconcile()])
    expect(reads).toHaveLength(1)
    await reconciler.reconcile()
    expect(reads).toHaveLength(2)
  })
})
