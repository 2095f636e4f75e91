import { describe, expect, test } from "vitest"
import { ACCOUNTS } from "#books/accounts.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { FeeBudget } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import { createMemory } from "#engine/memory.ts"
import type { WantedPair } from "#engine/rules/decide/view-due-rules.ts"
import { viewPortOf } from "#engine/rules/tick/build-view.ts"
import type { PairQuotes, QuoteReader } from "#engine/rules/tick/pair-quotes.ts"
import { AppError } from "#lib/app-error.ts"
import type { AssetView, PairView, TreasuryView } from "#policy/treasury-view.ts"
import { FORECAST_DAYS, startOfDay } from "#policy/values/forecast-flow.ts"
import { ARB, BTC, ETH, POLICY, WBTC } from "../../../support/fake-world.ts"
import { createManualClock } from "../../../support/manual-clock.ts"

const TODAY = 1_000
const DAY_MS = startOfDay(1)
const HOUR_MS = DAY_MS / 24
const NOW = startOfDay(TODAY) + HOUR_MS
const DOLLAR = 1_000_000n
const UNREADABLE = new AppError({ code: "evm.unreachable", disposition: "transient", message: "" })

type Row = { readonly atMs: number; readonly asset: AssetId; readonly units: bigint }
type Sample = { readonly atMs: number; readonly value: bigint | null }
type Scene = {
  readonly postings?: Readonly<Record<string, readonly Row[]>>
  readonly samples?: readonly Sample[]
  readonly budget?: FeeBudget | Error
  readonly prices?: ReadonlyMap<AssetId, bigint | AppError>
  readonly quotes?: PairQuotes
  readonly recalled?: readonly Quote[]
  readonly most?: bigint
  readonly capitalBps?: bigint
  readonly usedFiat?: bigint
  /** Without the coin of the chain among the assets. */
  readonly hasCoin?: boolean
  readonly peg?: { readonly toleranceBps: bigint } | null
}

/** The chain of the first two assets, whose coin is the first one. */
const CHAIN = toChainId("base_sepolia")

function portOf(scene: Scene) {
  const asked: unknown[] = []
  let open = 0
  let most = 0
  const { budget = { depositUnits: 30n, refundUnits: 12n } } = scene
  const node = {
    chain: CHAIN,
    traits: { nativeCoin: { symbol: "ETH", decimals: 8, token: null } },
    estimateFees: async () => {
      if (budget instanceof Error) throw budget
      return budget
    },
  }
  const asset = (id: AssetId, token: string | null) => {
    return [id, { id, chain: toChainId(id.split(":")[0] ?? ""), decimals: 8, token }] as const
  }
  const limits = scene.most === undefined ? {} : { maxRouteFiat: { cctp: scene.most } }
  const policy = { ...POLICY, ...(scene.capitalBps && { capitalBps: scene.capitalBps }) }
  const context = {
    clock: createManualClock(NOW),
    memory: createMemory(),
    chains: new Map([[CHAIN, node]]),
    settings: {
      assets: new Map([
        ...(scene.hasCoin === false ? [] : [asset(ETH, null)]),
        asset(WBTC, "0xtoken"),
        asset(BTC, null),
      ]),
      limits,
      priceToleranceBps: 7n,
      policyFor: () => policy,
    },
    prices: {
      ...(scene.peg !== undefined && { findPeg: () => scene.peg }),
      fetchPrice: async (id: AssetId) => {
        const price = scene.prices?.get(id)
        if (price instanceof AppError) throw price
        return price === undefined ? null : { fiat: price, sources: 1 }
      },
    },
    journal: {
      listLastPostings: (query: { readonly prefix: string }) => {
        asked.push(query)
        return scene.postings?.[query.prefix] ?? []
      },
      listSamples: (series: string, fromMs: number) => {
        asked.push([series, fromMs])
        return scene.samples ?? []
      },
      countEndings: () => ({ completed: 0, refunded: 0 }),
      sumFiatWith: () => scene.usedFiat ?? 0n,
    },
  }
  const reader = {
    read: async (...question: readonly unknown[]) => {
      asked.push(question)
      most = Math.max(most, ++open)
      await Promise.resolve()
      open -= 1
      return scene.quotes ?? { quotes: [], bounds: null, cause: null, available: true }
    },
    recall: () => scene.recalled ?? [],
  }
  // CAST: the view uses only these parts.
  const own = context as unknown as Parameters<typeof viewPortOf>[0]
  // CAST: as above.
  const port = viewPortOf(own, reader as unknown as QuoteReader)
  return { asked, port, mostAtOnce: () => most }
}

describe("the flows of an asset", () => {
  const at = (day: number, units: bigint, asset = ETH): Row => {
    return { atMs: startOfDay(day) + 5, asset, units }
  }

  test("are what came from outside, known or not, day by day, without that of other assets", () => {
    const { port, asked } = portOf({
      postings: {
        [ACCOUNTS.outside]: [at(TODAY - 1, -7n), at(TODAY - 1, -100n, WBTC), at(TODAY - 3, 2n)],
        [ACCOUNTS.unexplained]: [at(TODAY - 3, -5n)],
      },
    })
    expect(port.readFlows(ETH, TODAY)).toEqual([
      { day: TODAY - 3, units: 3n, changes: 2 },
      { day: TODAY - 2, units: 0n, changes: 0 },
      { day: TODAY - 1, units: 7n, changes: 1 },
    ])
    const of = { fromMs: startOfDay(TODAY - FORECAST_DAYS), limit: 10_000, ofOrders: false }
    expect(asked).toEqual([
      { ...of, prefix: ACCOUNTS.outside },
      { ...of, prefix: ACCOUNTS.unexplained },
    ])
  })

  test("of fees are what the coin paid for the network, of orders too, beside one order's", async () => {
    const postings = { [ACCOUNTS.networkPrefix]: [at(TODAY - 2, 10n), at(TODAY - 2, 9n, WBTC)] }
    const { port, asked } = portOf({ postings })
    expect(await port.readFeeUse(ETH, TODAY)).toEqual({
      days: 2,
      meanUnits: 5n,
      spreadUnits: 5n,
      perOrderUnits: 42n,
    })
    expect(asked).toEqual([
      {
        prefix: ACCOUNTS.networkPrefix,
        fromMs: startOfDay(TODAY - FORECAST_DAYS),
        limit: 10_000,
      },
    ])
  })

  test.each([
    ["a token pays none", WBTC, {}],
    ["its chain is not configured", BTC, {}],
    ["the asset is not configured", parseAssetId(`${CHAIN}:other`), {}],
    ["no node tells them", ETH, { budget: UNREADABLE }],
  ])("of fees are unknown where %s", async (_name, coin, scene: Scene) => {
    expect(await portOf(scene).port.readFeeUse(coin, TODAY)).toBeNull()
  })

  test("do not hide a bug", async () => {
    const { port } = portOf({ budget: new TypeError("a bug") })
    await expect((async () => port.readFeeUse(ETH, TODAY))()).rejects.toThrow(TypeError)
  })
})

describe("the fees of the last week", () => {
  const samples = [{ atMs: NOW - 30 * HOUR_MS, value: 8n }]

  test("are one an hour, and the present one", async () => {
    const { port, asked } = portOf({ samples })
    const lately = [...Array.from({ length: 30 }, () => 8n), 30n]
    expect(await port.readFees(ETH)).toEqual({ fee: 30n, lately })
    expect(asked).toEqual([[`fee/${ETH}`, NOW - 7 * DAY_MS]])
  })

  test.each([
    ["no day of them is known", ETH, { samples: [] }],
    ["the chain is not configured", BTC, { samples }],
    ["no node tells the present one", ETH, { samples, budget: UNREADABLE }],
  ])("are unknown where %s", async (_name, asset, scene: Scene) => {
    expect(await portOf(scene).port.readFees(asset)).toBeNull()
  })
})

const balance = {
  readable: true,
  spendableUnits: 4_000n,
  inFlightInUnits: 0n,
  inFlightOutUnits: 0n,
  floorUnits: 0n,
} as const

/** A unit is worth a dollar. */
function assetOf(id: AssetId, over: Partial<AssetView> = {}): AssetView {
  return { id, decimals: 0, balance, priceFiat: DOLLAR, ...over }
}

function viewOf(...assets: readonly AssetView[]): TreasuryView {
  return { assets, pairs: [] }
}

function quoteOf(over: Partial<Quote> = {}): Quote {
  return {
    from: ETH,
    to: BTC,
    sourceUnits: 1_000n,
    destinationUnits: 990n,
    sourceFiat: 1_000n * DOLLAR,
    destinationFiat: 990n * DOLLAR,
    solverId: "s",
    estimatedSeconds: null,
    ...over,
  }
}

const LIMITS = {
  maxOrders: 8,
  maxOrder: null,
  split: true,
  maxCost: { kind: "share", bps: 60n },
} as const

async function addPairs(scene: Scene, view: TreasuryView, ...pairs: readonly WantedPair[]) {
  const { port, asked, mostAtOnce } = portOf(scene)
  const wanted = pairs.length > 0 ? pairs : [{ from: ETH, to: BTC, need: null, amounts: [] }]
  return { view: await port.addPairs(view, wanted, LIMITS), asked, mostAtOnce }
}

const answer = (...quotes: readonly Quote[]): PairQuotes => {
  return { quotes, bounds: null, cause: null, available: true }
}

describe("the line of a kind of route", () => {
  const both = viewOf(assetOf(ETH), assetOf(BTC))
  const cctp = (over: Partial<Quote> = {}): Quote => quoteOf({ kind: "cctp", ...over })
  const quoteIn = async (scene: Scene, view = both) =>
    (await addPairs(scene, view)).view.pairs.map(({ kind, quote }) => [kind, quote] as const)

  test("stands beside that of the services, and has bounds of its own", async () => {
    const bounds = { minUnits: 3n, maxUnits: 9_000n }
    const quotes = { ...answer(quoteOf(), cctp({ destinationUnits: 1_000n })), bounds }
    expect(await quoteIn({ quotes })).toMatchObject([
      [undefined, { bps: 100n, ...bounds }],
      ["cctp", { bps: 0n, minUnits: 0n, maxUnits: null }],
    ])
    const cause = { code: "evm.unreachable", message: "" }
    expect(await quoteIn({ quotes: { ...answer(), cause } })).toMatchObject([
      [undefined, { readable: false, cause: { code: "evm.unreachable" } }],
    ])
  })

  test.each<[string, Partial<Scene>, Partial<Quote>, bigint | null]>([
    ["no limit", {}, {}, null],
    ["all of it", { most: 500n * DOLLAR }, {}, 500n],
    ["what open orders leave", { most: 500n * DOLLAR, usedFiat: 499n * DOLLAR }, {}, 1n],
    ["a part of a unit", { most: 500n * DOLLAR, usedFiat: 500n * DOLLAR - 1n }, {}, 0n],
    ["nothing", { most: 500n * DOLLAR, usedFiat: 500n * DOLLAR }, {}, 0n],
    ["nothing below zero", { most: 500n * DOLLAR, usedFiat: 600n * DOLLAR }, {}, 0n],
    ["no limit of a quote without a value", { most: 500n * DOLLAR }, { sourceFiat: null }, null],
    ["no limit of a quote without worth", { most: 500n * DOLLAR }, { sourceFiat: 0n }, null],
  ])("ends where the limit of the route does: %s", async (_name, scene, over, maxUnits) => {
    const found = await quoteIn({ ...scene, quotes: answer(cctp(over)) })
    expect(found).toMatchObject([["cctp", { minUnits: 0n, maxUnits }]])
  })

  test("counts the fees of its deposit and of our own redemption, and none of a refund", async () => {
    const prices = new Map([[ETH, 10n ** 8n * DOLLAR]])
    const quotes = answer(cctp({ redeemFeeUnits: 2n }), cctp({ redeemFeeUnits: 5n }))
    const view = viewOf(assetOf(WBTC), assetOf(ETH), assetOf(parseAssetId(`${CHAIN}:usd`)))
    const to = parseAssetId(`${CHAIN}:usd`)
    const pair = { from: WBTC, to, need: null, amounts: [] }
    const found = await addPairs({ prices, quotes }, view, pair)
    const [line] = found.view.pairs
    // A unit of the coin is worth a dollar in the view.
    expect(line?.quote).toMatchObject({ networkFeeFiat: 35n * DOLLAR })
    expect(line?.quote).not.toHaveProperty("refundFeeFiat")
    expect(line?.quote).not.toHaveProperty("windowFeesFiat")
    const none = await addPairs({ quotes: answer(cctp()) }, view, pair)
    expect(none.view.pairs[0]?.quote).toMatchObject({ networkFeeFiat: 30n * DOLLAR })
  })

  test("without a price of the coin there counts the deposit's fee alone", async () => {
    const quotes = answer(cctp({ redeemFeeUnits: 5n }))
    expect(await quoteIn({ quotes })).toMatchObject([["cctp", { networkFeeFiat: 30n * DOLLAR }]])
  })

  test.each<[string, readonly (number | null)[], bigint]>([
    ["its longest usual time", [600, 60], 600n],
    ["an hour where it names none", [null], 3_600n],
    ["an hour for a time of zero", [0, 0], 3_600n],
  ])("locks the money for %s", async (_name, times, seconds) => {
    // A billionth of the value each second.
    const capitalBps = 315_360n
    const quotes = answer(...times.map((estimatedSeconds) => cctp({ estimatedSeconds })))
    const found = await quoteIn({ quotes, capitalBps })
    expect(found).toMatchObject([["cctp", { risk: { refundPpm: 0n, lockPpb: seconds * 1_000n } }]])
  })
})

const KNOWN: PairView = {
  from: ETH,
  to: WBTC,
  quote: { readable: false, cause: { code: "policy.quote_missing", message: "none" } },
}

describe("the network fees of a pair", () => {
  const feesOf = async (scene: Scene, from = WBTC, ...more: readonly AssetView[]) => {
    const quotes = answer(quoteOf())
    const view = viewOf(assetOf(from), assetOf(BTC), ...more)
    const pair = { from, to: BTC, need: null, amounts: [] }
    const [line] = (await addPairs({ quotes, ...scene }, view, pair)).view.pairs
    const { networkFeeFiat, refundFeeFiat, ...quote } = Object(line?.quote)
    expect(quote.readable).toBe(true)
    return [networkFeeFiat, refundFeeFiat]
  }
  // A whole coin has a hundred million units.
  const COIN = 10n ** 8n

  test.each<[string, Scene, bigint | undefined, bigint | undefined]>([
    ["at the price of the coin", { prices: new Map([[ETH, COIN * 2n]]) }, 60n, 24n],
    ["at the least price", { prices: new Map([[ETH, 1n]]) }, 1n, 1n],
    ["not without a price", {}, undefined, undefined],
    ["not with a silent source", { prices: new Map([[ETH, UNREADABLE]]) }, undefined, undefined],
    ["not at no price", { prices: new Map([[ETH, 0n]]) }, undefined, undefined],
    [
      "not without a node's answer",
      { prices: new Map([[ETH, COIN]]), budget: UNREADABLE },
      undefined,
      undefined,
    ],
    ["not of a chain whose coin is no asset", { hasCoin: false }, undefined, undefined],
  ])("count %s", async (_name, scene, deposit, refund) => {
    expect(await feesOf(scene)).toEqual([deposit, refund])
  })

  test("count at the price of the view, and at that of a source where the view has none", async () => {
    const prices = new Map([[ETH, COIN]])
    expect(await feesOf({ prices }, WBTC, assetOf(ETH, { priceFiat: 3n }))).toEqual([90n, 36n])
    const unpriced = assetOf(ETH, { priceFiat: null, priceCause: { code: "a", message: "b" } })
    expect(await feesOf({ prices }, WBTC, unpriced)).toEqual([30n, 12n])
  })

  test("count as none on a chain that is not configured, and hide no bug", async () => {
    expect(await feesOf({}, ARB)).toEqual([undefined, undefined])
    const scene = { prices: new Map([[ETH, COIN]]), budget: new TypeError("a bug") }
    await expect(feesOf(scene)).rejects.toThrow(TypeError)
  })
})

describe("the assets of a view", () => {
  test("are read once, and only where they are configured", async () => {
    const { port } = portOf({})
    const known = viewOf(assetOf(ETH))
    const unknown = parseAssetId(`${CHAIN}:other`)
    expect(await port.addAssets(known, [ETH, unknown])).toEqual(known)
    const { assets } = await port.addAssets(known, [BTC, BTC])
    expect(assets.map(({ id }) => id)).toEqual([ETH, BTC])
    expect(assets[1]).toMatchObject({ decimals: 8, priceFiat: null, balance: { readable: false } })
  })
})

describe("the pairs of a view", () => {
  const asks = async (view: TreasuryView, pair: Partial<WantedPair>) => {
    const wanted = { from: ETH, to: BTC, need: null, amounts: [], ...pair }
    const { asked } = await addPairs({ quotes: answer(quoteOf()) }, view, wanted)
    return asked.map((question) => Reflect.get(Object(question), "2") as readonly bigint[])
  }

  test("ask for amounts by their size, and for a quarter that is at least a unit", async () => {
    const both = viewOf(assetOf(ETH), assetOf(BTC))
    expect(await asks(both, { amounts: [40n, 90n, 60n, 50n] })).toEqual([[40n, 50n, 60n, 90n]])
    expect(await asks(both, { amounts: [5n] })).toEqual([[1n, 5n]])
    expect(await asks(both, { amounts: [3n] })).toEqual([[3n]])
  })

  test("ask for all that is liquid where the price of the asset in need is unknown", async () => {
    // CAST: only these parts of a need count.
    const need = { kind: "gain", asset: BTC, wantUnits: 8n } as WantedPair["need"]
    expect(await asks(viewOf(assetOf(ETH), assetOf(BTC)), { need })).toEqual([[2n, 9n]])
    const unpriced = viewOf(assetOf(ETH), assetOf(BTC, { priceFiat: null }))
    expect(await asks(unpriced, { need })).toEqual([[1_000n, 4_000n]])
  })

  test("need both assets in it", async () => {
    const cause = { code: "policy.asset_unknown" }
    const quotes = answer(quoteOf())
    for (const view of [viewOf(assetOf(ETH)), viewOf(assetOf(BTC))]) {
      const found = await addPairs({ quotes }, view)
      expect(found.view.pairs).toMatchObject([{ from: ETH, to: BTC }])
      expect(found.view.pairs).toHaveLength(1)
    }
    const { view } = await addPairs({ quotes }, viewOf(assetOf(ETH)))
    expect(view.pairs).toMatchObject([{ quote: { readable: false, cause } }])
  })

  test("ask for the amounts of occurrences alone, and else for a line", async () => {
    const both = viewOf(assetOf(ETH), assetOf(BTC))
    const pair = { from: ETH, to: BTC, need: null }
    const quotes = answer(quoteOf())
    const { asked } = await addPairs(
      { quotes },
      both,
      { ...pair, amounts: [8n] },
      { ...pair, amounts: [] },
    )
    expect(asked).toEqual([
      [ETH, BTC, [2n, 8n], "exact"],
      [ETH, BTC, [1_000n, 4_000n], "line"],
    ])
  })

  test("are asked for a few at a time, each once and in their order", async () => {
    const pairs = Array.from({ length: 9 }, (_, index) => {
      return { from: ETH, to: BTC, need: null, amounts: [BigInt(index + 10)] }
    })
    const quotes = answer(quoteOf())
    const both = { ...viewOf(assetOf(ETH), assetOf(BTC)), pairs: [KNOWN] }
    const { asked, view, mostAtOnce } = await addPairs({ quotes }, both, ...pairs)
    expect(mostAtOnce()).toBe(4)
    const sold = asked.map((question) => Reflect.get(Object(question), "2") as readonly bigint[])
    expect(sold.map((units) => units.at(-1))).toEqual(pairs.map(({ amounts }) => amounts[0]))
    expect(view.pairs).toHaveLength(10)
    expect(view.pairs[0]).toBe(KNOWN)
  })

  test("give a price to an asset that has none, and to no asset that has a cause", async () => {
    const cause = { code: "prices.unavailable", message: "none" }
    const recalled = [quoteOf({ sourceFiat: 3_000n * DOLLAR })]
    const scene = { quotes: answer(quoteOf()), recalled }
    const missing = { priceFiat: null }
    const { view } = await addPairs(
      scene,
      viewOf(assetOf(ETH, missing), assetOf(BTC, { ...missing, priceCause: cause })),
    )
    expect(view.assets).toMatchObject([
      { id: ETH, priceFiat: 3n * DOLLAR },
      { id: BTC, priceFiat: null, priceCause: cause },
    ])
    expect(view.assets[0]).not.toHaveProperty("isReference")
    expect((await addPairs(scene, viewOf(assetOf(ETH), assetOf(BTC)))).view.assets).toMatchObject([
      { priceFiat: DOLLAR },
      { priceFiat: DOLLAR },
    ])
  })

  test.each([
    ["both are reference prices", true, true, 7n],
    ["the one sold is not", false, true, undefined],
    ["the one bought is not", true, false, undefined],
  ])("have the tolerance of reference prices where %s", async (_name, from, to, toleranceBps) => {
    const reference = (is: boolean) => (is ? { isReference: true } : {})
    const view = viewOf(assetOf(ETH, reference(from)), assetOf(BTC, reference(to)))
    const toleranceIn = async (scene: Scene): Promise<unknown> => {
      const [line] = (await addPairs({ quotes: answer(quoteOf()), ...scene }, view)).view.pairs
      return Reflect.get(Object(line?.quote), "toleranceBps")
    }
    expect(await toleranceIn({})).toBe(toleranceBps)
    expect(await toleranceIn({ peg: null })).toBe(toleranceBps)
    const peg = { toleranceBps: 3n }
    expect(await toleranceIn({ peg })).toBe(toleranceBps === undefined ? undefined : 3n)
  })
})

describe("the prices of a view", () => {
  const missing = { priceFiat: null }
  const addPrices = async (scene: Scene, view: TreasuryView, ids: AssetId[], mayAsk = true) => {
    const { port, asked } = portOf(scene)
    return { view: await port.addPrices(view, ids, mayAsk), asked }
  }

  test("are read for the named assets that have none", async () => {
    const prices = new Map([ETH, WBTC, BTC].map((id) => [id, 5n]))
    const { view } = await addPrices(
      { prices },
      viewOf(assetOf(ETH), assetOf(WBTC, missing), assetOf(BTC, missing)),
      [ETH, WBTC],
    )
    expect(view.assets.map(({ priceFiat }) => priceFiat)).toEqual([DOLLAR, 5n, null])
    expect(view.assets.map(({ isReference }) => isReference)).toEqual([undefined, true, undefined])
  })

  test("of a quote are no reference", async () => {
    const recalled = [quoteOf({ sourceFiat: 2_000n * DOLLAR })]
    const { view, asked } = await addPrices({ recalled }, viewOf(assetOf(ETH, missing)), [ETH])
    expect(view.assets).toMatchObject([{ priceFiat: 2n * DOLLAR }])
    expect(view.assets[0]).not.toHaveProperty("isReference")
    expect(view.assets[0]).not.toHaveProperty("priceParts")
    expect(asked).toEqual([])
    const cheap = [quoteOf({ sourceFiat: 1_500n })]
    const fine = await addPrices({ recalled: cheap }, viewOf(assetOf(ETH, missing)), [ETH])
    expect(fine.view.assets).toMatchObject([{ priceFiat: 1n, priceParts: 5n * 10n ** 11n }])
  })

  test("are asked for once, of a whole unit to an asset of the view first, where that may be", async () => {
    const cause = { code: "service.unavailable", message: "none" }
    const quotes: PairQuotes = { ...answer(), cause }
    const empty = { ...balance, spendableUnits: 0n }
    const own = assetOf(ETH, { ...missing, decimals: 2, balance: empty })
    const partner = assetOf(ARB, { balance: empty })
    const { view, asked } = await addPrices({ quotes }, viewOf(own, partner), [ETH])
    expect(asked).toEqual([[ETH, ARB, [100n]]])
    expect(view.assets[0]).toMatchObject({ priceFiat: null, priceCause: cause })
    const alone = await addPrices({ quotes }, viewOf(own), [ETH])
    expect(alone.asked).toEqual([[ETH, BTC, [100n]]])
    const silent = await addPrices({ quotes }, viewOf(own, partner), [ETH], false)
    expect([silent.asked, silent.view.assets[0]?.priceCause]).toEqual([[], undefined])
  })
})
