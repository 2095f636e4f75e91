import { describe, expect, test } from "vitest"
import { RENT_PREFIX } from "#books/accounts.ts"
import { walletOf } from "#books/entries-of.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderFigures } from "#engine/memory.ts"
import { createMemory } from "#engine/memory.ts"
import { writeOpening } from "#engine/orders/pay/stored-opening.ts"
import { createReconciler } from "#engine/watches/reconciler.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import { encodeOrder } from "#order/step.ts"
import type { ReconciliationRow } from "#ports/journal/ledger.ts"
import { ARB, BTC, ETH, WBTC } from "../../support/fake-world.ts"
import { settle } from "../../support/manual-clock.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

const NOW = 5_000_000
const EVERY_MS = 25_000
const UNREADABLE = new AppError({ code: "evm.unreachable", disposition: "transient", message: "" })
const HELD = 1_000n

type Pending = { readonly in?: bigint; readonly out?: bigint }
type Open = {
  readonly id: string
  readonly from: AssetId
  readonly to: AssetId
  /** `null`: a damaged order. */
  readonly pending: Readonly<Record<AssetId, Pending>> | null
}
type Account = { readonly account: string; readonly asset: AssetId; readonly units: bigint }
type Balance = bigint | Error
type Ended = { readonly state: string; readonly snapshot: string; readonly from?: AssetId }
type Scene = {
  readonly assets?: readonly AssetId[]
  /** What the chain shows at each look, the last one again and again; as the books by default. */
  readonly balances?: Readonly<Record<AssetId, Balance | readonly Balance[]>>
  readonly opened?: boolean
  readonly orders?: readonly Open[]
  /** The orders while a balance is read, where other ones count then. */
  readonly meanwhile?: readonly Open[]
  readonly accounts?: readonly Account[]
  readonly known?: readonly Partial<ReconciliationRow>[]
  readonly opening?: bigint
  readonly ended?: Readonly<Record<string, Ended>>
  readonly leg?: object | Error
  readonly price?: bigint | Error
  readonly isWatchOnly?: boolean
  /** Called at each use of a port, with its name and the asset or the time. */
  readonly at?: (call: string) => void | Promise<void>
}

const listed = ({ orders = [] }: Pick<Scene, "orders">) => orders

function figuresOf({ pending }: Open): OrderFigures | null {
  if (pending === null) return null
  const sums = Object.entries(pending).map(([asset, { in: inUnits = 0n, out = 0n }]) => {
    return { asset, inUnits, outUnits: out }
  })
  // CAST: the books count nothing else.
  return { pending: sums } as unknown as OrderFigures
}

function scene(of: Scene) {
  const { at = () => undefined, price = null } = of
  const saved: ReconciliationRow[] = []
  const booked: { readonly orderId: string | null; readonly add: readonly object[] }[] = []
  const alerts: { readonly code: string; readonly asset?: AssetId; readonly message: string }[] = []
  const calls: string[] = []
  const flags = new Map<string, string | null>()
  const { assets = [ETH] } = of
  const times = new Map<AssetId, number>()
  const memory = createMemory()
  const settings = {
    assets: new Map(
      assets.map((id) => [
        id,
        { id, chain: chainOf(id), decimals: 8, token: id === WBTC ? "0xt" : null },
      ]),
    ),
  }
  const show = (orders: readonly Open[]): void => {
    const refs = orders.map(({ id, from, to }) => ({ id, from, to, revision: 1 }))
    const figures = orders.map(figuresOf)
    const byId = new Map(
      orders.map(({ id }, index) => {
        return [id, { revision: 1, figures: figures[index] ?? null }]
      }),
    )
    // CAST: as it is kept between two calls.
    memory.figures = { assets: settings.assets, byId, open: { refs, figures } } as never
  }
  show(listed(of))
  const call = async (name: string): Promise<void> => {
    calls.push(name)
    await at(name)
  }
  const journal = {
    listOpenRefs: () => {
      calls.push("journal")
      return memory.figures?.open.refs ?? []
    },
    listEndedRefs: () => [],
    listAccounts: (prefix: string) => {
      calls.push("journal")
      const own = assets.filter((id) => settings.assets.has(id))
      const wallets = own.map((asset) => ({ account: walletOf(asset), asset, units: HELD }))
      return [...(of.accounts ?? []), ...wallets].filter(({ account }) =>
        account.startsWith(prefix),
      )
    },
    listEntries: () => (of.opened === false ? [] : [{}]),
    listReconciliations: () => {
      calls.push("journal")
      const latest = new Map((of.known ?? []).map((row) => [row.asset, row]))
      for (const row of saved) latest.set(row.asset, row)
      return [...latest.values()]
    },
    saveReconciliation: (row: ReconciliationRow) => void saved.push(row),
    book: ({ add }: { add: readonly object[] }, { orderId }: { orderId: string | null }) =>
      void booked.push({ orderId, add }),
    raiseAlert: (_ms: number, reason: (typeof alerts)[number]) => void alerts.push(reason),
    findOrder: (id: string) => {
      const row = of.ended?.[id]
      return row === undefined ? null : { id, from: ETH, to: BTC, updatedAtMs: 1, ...row }
    },
    readFlag: (name: string) => flags.get(name) ?? null,
    writeFlag: (name: string, text: string | null) => void flags.set(name, text),
    noteFlag: () => undefined,
  }
  const portOf = (chain: ChainId) => ({
    chain,
    account: "wallet",
    traits: { nativeCoin: { token: null } },
    isWatchOnly: of.isWatchOnly === true,
    sameAddress: () => true,
    uses: {
      fetchUses: async () => {
        await call(`uses ${chain}`)
        return { mark: null, used: [] }
      },
    },
    fetchBalance: async (asset: AssetId) => {
      await call(`balance ${asset}`)
      if (of.meanwhile !== undefined) show(of.meanwhile)
      const found = of.balances?.[asset] ?? HELD
      const list: readonly Balance[] = Array.isArray(found) ? found : [found]
      const before = times.get(asset) ?? 0
      times.set(asset, before + 1)
      const units = list[Math.min(before, list.length - 1)]
      if (units instanceof Error) throw units
      return { units, spendableUnits: units }
    },
    observeLeg: async () => {
      await call("leg")
      if (of.leg instanceof Error) throw of.leg
      return { ...emptyLeg(9n), ...of.leg }
    },
  })
  const chains = new Map([...new Set(assets.map(chainOf))].map((chain) => [chain, portOf(chain)]))
  // CAST: it writes a flag alone.
  const flagStore = journal as unknown as Parameters<typeof writeOpening>[0]
  if (of.opening !== undefined) {
    const plan = { ...samplePlan("void", 1), maxFeeUnits: of.opening }
    const transaction = sampleTransaction(plan)
    writeOpening(flagStore, chainOf(ETH), { asset: WBTC, transaction })
  }
  const stop = new AbortController()
  const context = {
    journal,
    chains,
    settings,
    memory,
    log: silentLogger,
    prices: {
      fetchPrice: async (asset: AssetId) => {
        await call(`price ${asset}`)
        if (price instanceof Error) throw price
        return price === null ? null : { fiat: price, sources: 1 }
      },
    },
    clock: { now: () => NOW, sleep: (ms: number) => call(`sleep ${ms}`) },
  }
  // CAST: the comparison uses only these parts.
  const own = context as unknown as Parameters<typeof createReconciler>[0]
  const reconciler = createReconciler(own, { everyMs: EVERY_MS, onDifference: "alert" })
  return { reconciler, saved, booked, alerts, calls, stop, settings }
}

/** The state of an asset after one comparison of all. */
async function stateOf(of: Scene, asset: AssetId = ETH): Promise<string | undefined> {
  const { reconciler, saved } = scene(of)
  await reconciler.reconcile()
  return saved.findLast((row) => row.asset === asset)?.state
}

const order = (pending: Open["pending"], over: Partial<Open> = {}): Open => {
  return { id: "open", from: ETH, to: BTC, pending, ...over }
}
const less = (units: bigint) => ({ [ETH]: HELD - units })
const more = (units: bigint) => ({ [ETH]: HELD + units })

describe("the books of an asset", () => {
  test.each<[string, string, Scene]>([
    ["agree to the unit", "agrees", {}],
    ["have units less", "surplus", { balances: more(1n) }],
    ["have units more", "difference", { balances: less(1n) }],
    [
      "count what open orders may have sent",
      "unsettled",
      {
        balances: less(7n),
        orders: [order({ [ETH]: { out: 3n } }), order({ [ETH]: { out: 4n } }, { id: "other" })],
      },
    ],
    [
      "count no more than that",
      "difference",
      {
        balances: less(8n),
        orders: [order({ [ETH]: { out: 3n } }), order({ [ETH]: { out: 4n } }, { id: "other" })],
      },
    ],
    [
      "count what they may have received",
      "unsettled",
      {
        balances: more(1n),
        orders: [order({ [ETH]: { in: 3n } })],
      },
    ],
    [
      "do not count the units of another asset",
      "difference",
      {
        balances: less(1n),
        orders: [order({ [WBTC]: { out: 3n } })],
      },
    ],
    ["are unreadable with a damaged order of their chain", "unreadable", { orders: [order(null)] }],
    [
      "are unreadable with one that pays to it",
      "unreadable",
      {
        orders: [order(null, { from: BTC, to: WBTC })],
      },
    ],
    [
      "are readable with one of other chains",
      "agrees",
      {
        orders: [order(null, { from: BTC, to: ARB })],
      },
    ],
    ["are unreadable without an answer", "unreadable", { balances: { [ETH]: UNREADABLE } }],
    [
      "count the rent of ended orders",
      "unsettled",
      {
        balances: more(1n),
        accounts: [{ account: `${RENT_PREFIX}gone`, asset: ETH, units: 3n }],
      },
    ],
    [
      "count no rent of another asset",
      "surplus",
      {
        balances: more(1n),
        accounts: [{ account: `${RENT_PREFIX}gone`, asset: WBTC, units: 3n }],
      },
    ],
    [
      "count no rent of an open order twice",
      "surplus",
      {
        balances: more(1n),
        orders: [order({})],
        accounts: [{ account: `${RENT_PREFIX}open`, asset: ETH, units: 3n }],
      },
    ],
    [
      "are those of its own account",
      "agrees",
      {
        accounts: [
          { account: `${walletOf(ETH)}_two`, asset: ETH, units: 3n },
          { account: walletOf(ETH), asset: WBTC, units: 4n },
        ],
      },
    ],
    ["count a token account that opens", "unsettled", { balances: less(10n), opening: 10n }],
    ["count no more of it", "difference", { balances: less(11n), opening: 10n }],
  ])("%s: %s", async (_name, state, of) => {
    expect(await stateOf(of)).toBe(state)
  })

  test("of a token do not count what the coin pays for an account", async () => {
    const of = { assets: [WBTC, ETH], balances: { [WBTC]: HELD - 1n }, opening: 10n }
    expect(await stateOf(of, WBTC)).toBe("difference")
  })

  test("change with orders during the look, so it is repeated, three times at most", async () => {
    const before = [order({ [ETH]: { in: 3n, out: 3n } })]
    for (const now of [
      { in: 4n, out: 3n },
      { in: 3n, out: 4n },
    ]) {
      const { reconciler, saved, calls } = scene({
        orders: before,
        meanwhile: [order({ [ETH]: now })],
        balances: more(1n),
      })
      await reconciler.reconcile()
      expect(calls.filter((name) => name.startsWith("balance"))).toHaveLength(2)
      expect(saved.map(({ state }) => state)).toEqual(["unsettled"])
    }
    let units = 0n
    const restless = scene({
      get accounts() {
        units += 1n
        return [{ account: `${RENT_PREFIX}gone`, asset: ETH, units }]
      },
    })
    expect(await restless.reconciler.accept(ETH, "outside")).toMatchObject({
      ok: false,
      reasons: [{ code: "books.unreadable" }],
    })
    expect(restless.calls.filter((name) => name.startsWith("balance"))).toHaveLength(3)
  })

  test("are opened once no order explains a part, and never twice", async () => {
    const opened = scene({ opened: false, balances: more(5n) })
    await opened.reconciler.reconcile()
    expect(opened.booked).toMatchObject([
      { add: [{ kind: "opening", postings: [{ units: 5n }, { units: -5n }] }] },
    ])
    const waits = scene({ opened: false, orders: [order({ [ETH]: { in: 3n } })] })
    await waits.reconciler.reconcile()
    expect([waits.booked, waits.saved.map(({ state }) => state)]).toEqual([[], ["unsettled"]])
  })
})

describe("a surplus", () => {
  const seen = (over: Partial<ReconciliationRow>): Scene => ({
    balances: more(5n),
    known: [{ asset: ETH, state: "surplus", ledgerUnits: HELD, chainUnits: HELD + 5n, ...over }],
  })

  test.each<[string, number, Scene]>([
    ["is booked at the second look", 1, seen({})],
    ["of another size is not", 0, seen({ chainUnits: HELD + 4n })],
    ["after another state is not", 0, seen({ state: "agrees" })],
    [
      "that an order may explain by now is not",
      0,
      {
        ...seen({}),
        orders: [order({ [ETH]: { in: 5n } })],
      },
    ],
  ])("%s", async (_name, count, of) => {
    const { reconciler, booked } = scene(of)
    await reconciler.reconcile()
    expect(booked).toHaveLength(count)
  })
})

describe("missing units", () => {
  const COIN = 10n ** 8n

  test("are looked at again after half a minute at most, and alarm with their worth", async () => {
    const { reconciler, calls, alerts } = scene({ balances: less(3n * COIN), price: 2_000_000n })
    await reconciler.reconcile()
    expect(calls).toContain(`sleep ${EVERY_MS}`)
    expect(alerts).toMatchObject([{ code: "books.difference", asset: ETH }])
    expect(alerts[0]?.message).toContain(`holds ${3n * COIN} units`)
    expect(alerts[0]?.message).toMatch(/worth 6(\.0+)? usd/)
    const silent = scene({ balances: less(1n), price: UNREADABLE })
    await silent.reconciler.reconcile()
    expect(silent.alerts[0]?.message).not.toContain("worth")
  })

  test("of the same number alarm for their asset alone", async () => {
    const { reconciler, alerts } = scene({
      assets: [ETH, WBTC],
      balances: { [ETH]: [HELD - 1n, HELD - 2n], [WBTC]: HELD - 2n },
    })
    await reconciler.reconcile()
    expect(alerts.map(({ asset }) => asset)).toEqual([WBTC])
  })

  test("of a moment leave no state behind", async () => {
    const { reconciler, saved } = scene({ balances: { [ETH]: [HELD - 1n, HELD] } })
    await reconciler.reconcile()
    expect(saved.map(({ state }) => state)).toEqual(["agrees"])
  })

  test("alarm once, until the books agree or have less", async () => {
    const known = [{ asset: ETH, state: "difference", alarmedUnits: -1n } as const]
    const again = scene({ balances: less(1n), known })
    await again.reconciler.reconcile()
    expect([again.alerts, again.saved.at(-1)?.alarmedUnits]).toEqual([[], -1n])
    for (const balances of [less(0n), more(1n)]) {
      const { reconciler, saved } = scene({ balances, known })
      await reconciler.reconcile()
      expect(saved.at(-1)?.alarmedUnits).toBeNull()
    }
    const unread = scene({ balances: { [ETH]: UNREADABLE }, known })
    await unread.reconciler.reconcile()
    expect(unread.saved.at(-1)?.alarmedUnits).toBe(-1n)
  })

  test("of a price that hides a bug fail", async () => {
    await expect(scene({ price: new RangeError("a bug") }).reconciler.reconcile()).rejects.toThrow(
      "a bug",
    )
  })
})

describe("an end of the process during a comparison", () => {
  const missing = { [ETH]: HELD - 1n, [BTC]: HELD - 1n }
  const ended = {
    gone: { state: "completed", snapshot: encodeOrder({ state: "completed", data: sampleData() }) },
  }
  const rent = [{ account: `${RENT_PREFIX}gone`, asset: ETH, units: 3n }]
  const leg = { redeemed: { txid: "c", height: 1n, final: true, releasedUnits: 3n } }

  test.each<[string, number, Scene]>([
    ["leg", 1, { accounts: rent, ended, leg }],
    [`uses ${chainOf(ETH)}`, 1, {}],
    [`uses ${chainOf(BTC)}`, 1, {}],
    [`price ${ETH}`, 1, { balances: missing }],
    [`balance ${BTC}`, 1, { balances: missing }],
    [`balance ${BTC}`, 2, { balances: missing }],
    [`sleep ${EVERY_MS}`, 1, { balances: missing }],
  ])("reads and writes nothing more: at %s, time %i", async (call, time, of) => {
    let seen = 0
    let before: readonly string[] = []
    const own = scene({
      assets: [ETH, BTC],
      ...of,
      at: async (name) => {
        if (name !== call) return
        seen += 1
        if (seen !== time) return
        // The other asset is read meanwhile.
        await settle()
        before = [...own.calls]
        written = own.saved.length + own.booked.length + own.alerts.length
        own.stop.abort()
      },
    })
    let written = -1
    await own.reconciler.run(own.stop.signal)
    await settle()
    // The look at an account after a rent only reads, and notes nothing any more.
    const isRead = (name: string): boolean => call === "leg" && name.startsWith("uses")
    expect(own.calls.filter((name) => !isRead(name))).toEqual(before)
    expect(own.saved.length + own.booked.length + own.alerts.length).toBe(written)
  })

  test("accepts no difference any more", async () => {
    const own = scene({
      balances: more(1n),
      at: (name) => {
        if (name === `price ${ETH}`) own.stop.abort()
      },
    })
    await own.reconciler.run(own.stop.signal)
    expect(await own.reconciler.accept(ETH, "outside")).toMatchObject({ ok: false })
    expect(own.booked).toEqual([])
  })
})

describe("a balance that cannot be read", () => {
  /** The calls of a run until it has slept so often. */
  async function run(
    of: Scene,
    sleeps: number,
    change: (settings: ReturnType<typeof scene>["settings"]) => void = () => undefined,
  ) {
    const own = scene({
      assets: [ETH, BTC],
      balances: { [ETH]: UNREADABLE },
      ...of,
      at: (name) => {
        if (!name.startsWith("sleep")) return
        change(own.settings)
        if (own.calls.filter((one) => one.startsWith("sleep")).length === sleeps) own.stop.abort()
      },
    })
    await own.reconciler.run(own.stop.signal)
    return { ...own, told: own.calls.filter((name) => /^(sleep|balance)/.test(name)) }
  }
  const eth = `balance ${ETH}`
  const all = [eth, `balance ${BTC}`]

  test("is read again each ten seconds between two comparisons of all", async () => {
    const { told } = await run({}, 4)
    const between = ["sleep 10000", eth, "sleep 10000", eth, "sleep 5000"]
    expect(told).toEqual([...all, ...between, ...all, "sleep 10000"])
  })

  test("is not read between them once it is read, nor once it is no asset any more", async () => {
    const { told } = await run({ balances: { [ETH]: [UNREADABLE, HELD] } }, 3)
    expect(told).toEqual([...all, "sleep 10000", eth, "sleep 15000", ...all, `sleep ${EVERY_MS}`])
    const gone = await run({ accounts: [] }, 2, ({ assets }) => {
      assets.delete(ETH)
    })
    expect(gone.reconciler.unread()).toEqual([])
    expect(gone.saved.filter(({ asset }) => asset === ETH)).toHaveLength(1)
  })
})

describe("the rent of an ended order", () => {
  const order = (state: string) => encodeOrder({ state: state as "completed", data: sampleData() })
  const rent = (...ids: string[]): Account[] =>
    ids.map((id) => ({ account: `${RENT_PREFIX}${id}`, asset: ETH, units: 3n }))
  const done = { state: "completed", snapshot: order("completed") }
  const closed = { txid: "c", height: 1n, final: true, releasedUnits: 3n }

  test.each<[string, readonly string[], Scene]>([
    ["is booked by its redemption", ["gone"], { leg: { redeemed: closed } }],
    ["is booked by its refund", ["gone"], { leg: { refunded: closed } }],
    ["waits for the final block", [], { leg: { redeemed: { ...closed, final: false } } }],
    [
      "waits for an end that returns it",
      [],
      {
        leg: { redeemed: { ...closed, releasedUnits: undefined } },
      },
    ],
    ["waits for an answer", [], { leg: UNREADABLE }],
    [
      "belongs to an open order",
      [],
      {
        leg: { redeemed: closed },
        ended: { gone: { ...done, state: "funded" } },
      },
    ],
    ["of an unknown order stays", [], { leg: { redeemed: closed }, ended: {} }],
    [
      "of a damaged order stays, and the next one is booked",
      ["next"],
      {
        leg: { redeemed: closed },
        accounts: rent("gone", "next"),
        ended: { gone: { ...done, snapshot: "{" }, next: done },
      },
    ],
    [
      "of a lost chain stays, and the next one is booked",
      ["next"],
      {
        leg: { redeemed: closed },
        accounts: rent("gone", "next"),
        ended: { gone: { ...done, from: ARB }, next: done },
      },
    ],
  ])("%s", async (_name, orders, of) => {
    const own = scene({ accounts: rent("gone"), ended: { gone: done }, ...of })
    await own.reconciler.reconcile()
    expect(own.booked.flatMap(({ orderId }) => orderId ?? [])).toEqual(orders)
  })

  test("hides no bug", async () => {
    const own = scene({
      accounts: rent("gone"),
      ended: { gone: done },
      leg: new RangeError("a bug"),
    })
    await expect(own.reconciler.reconcile()).rejects.toThrow("a bug")
  })
})

test("what leaves a watched wallet is booked at the second look", async () => {
  const { reconciler, booked, alerts, saved } = scene({ balances: less(4n), isWatchOnly: true })
  await reconciler.reconcile()
  expect(alerts).toEqual([])
  expect(booked).toMatchObject([
    { add: [{ kind: "outside", postings: [{ units: -4n }, { units: 4n }] }] },
  ])
  expect(saved.map(({ state }) => state)).toEqual(["agrees"])
})
