import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { runSteps } from "#engine/rules/decide/steps.ts"
import { viewDueRules } from "#engine/rules/decide/view-due-rules.ts"
import { amountsToQuote, viewPortOf } from "#engine/rules/tick/build-view.ts"
import { createQuoteReader, type QuoteReader } from "#engine/rules/tick/pair-quotes.ts"
import { AppError } from "#lib/app-error.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { Need } from "#policy/need.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import { findAsset, type TreasuryView } from "#policy/treasury-view.ts"
import {
  ARB,
  BTC,
  createWorld,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { withCapability } from "../../../support/wrap-port.ts"

const LIMITS = {
  maxOrders: 8,
  maxOrder: null,
  split: true,
  maxCost: { kind: "share", bps: 60n },
} as const
/**
 * One smallest unit is worth one whole dollar in the fake world, and there are 10^8 of them in a
 * coin.
 */
const PRICE = 10n ** 14n

const BAND: PolicyRule = {
  id: "band",
  kind: "band",
  asset: BTC,
  minUnits: 1_100_000n,
  targetUnits: 1_150_000n,
  maxUnits: 1_200_000n,
  sources: [ETH, ARB],
  sinks: [ETH],
}
const WEIGHTS: PolicyRule = {
  id: "mix",
  kind: "weights",
  weights: [
    { asset: WBTC, bps: 5_000n },
    { asset: ARB, bps: 5_000n },
  ],
  toleranceBps: 500n,
}
const DCA: PolicyRule = {
  id: "dca",
  kind: "recurring",
  schedule: "* * * * *",
  timezone: "UTC",
  from: ARB,
  to: BTC,
  amount: { kind: "units", units: 5_000n },
  catchUp: "skip",
}

let world: World
let context: EngineContext
let reader: QuoteReader
beforeEach(() => {
  world = createWorld()
})

function begin(options: StartOptions = {}): void {
  context = world.start(options).context
  reader = createQuoteReader(context)
}

async function view(...rules: readonly PolicyRule[]): Promise<TreasuryView> {
  let found: TreasuryView | null = null
  const due = rules.map(({ id, kind }) => ({
    rule: id,
    occurrence: kind === "recurring" ? `${id}@1` : null,
  }))
  void runSteps(viewDueRules(viewPortOf(context, reader), { rules, due, limits: LIMITS })).then(
    (built) => {
      found = built
    },
  )
  await world.run(() => found !== null, 120_000)
  if (found === null) throw new Error("not built")
  return found
}

/** Without the watch over the endpoints, which asks beside every tick. */
const calls = (): string[] =>
  world.faults.calls
    .map(({ method }) => method)
    .filter((method) => !method.endsWith(".fetchAgreement"))
const asked = (): number => world.faults.countCalls("service.fetchQuotes")
const price = (built: TreasuryView, id: AssetId): bigint | null | undefined =>
  findAsset(built, id)?.priceFiat

describe("the view of rules without needs", () => {
  beforeEach(() => begin())

  test("holds their own balances; it reads no partner and requests no quote", async () => {
    const built = await view({ ...BAND, minUnits: 0n })
    expect(built.assets.map(({ id }) => id)).toEqual([BTC])
    expect(built.pairs).toEqual([])
    expect(new Set(calls())).toEqual(
      new Set(["bitcoin.fetchBalance", "bitcoin.estimateFees", "bitcoin.fetchHeight"]),
    )
  })

  test("of weights needs one quote, which contains both prices", async () => {
    const built = await view(WEIGHTS)
    expect([price(built, WBTC), price(built, ARB)]).toEqual([PRICE, PRICE])
    expect(asked()).toBe(1)
    await view(WEIGHTS)
    expect(asked(), "and it is remembered").toBe(1)
  })

  test("of a scheduled rule in units holds the balance that it sells, and its quotes", async () => {
    const built = await view(DCA)
    expect(built).toMatchObject({
      assets: [{ id: ARB }, { id: BTC }],
      pairs: [{ from: ARB, to: BTC }],
    })
    expect(asked()).toBe(2)
  })
})

describe("the view of rules with needs", () => {
  test("has both ends and the cost of every usable pair, from two quotes each", async () => {
    begin()
    const built = await view(BAND)
    expect(built.assets.map(({ id }) => id).sort()).toEqual([ARB, ETH, BTC].sort())
    expect(built.pairs.map(({ from, to }) => `${from}>${to}`)).toEqual([
      `${ETH}>${BTC}`,
      `${ARB}>${BTC}`,
    ])
    expect(built.pairs[0]?.quote).toMatchObject({ readable: true, available: true, bps: 30n })
    expect(asked()).toBe(4)
    expect([price(built, BTC), price(built, ETH)]).toEqual([PRICE, PRICE])
  })

  test.each([
    ["onchain", 10n * 1_000_000n],
    ["auto", undefined],
  ] as const)(
    "counts the network's fee where a deposit is surely our own transaction: %s",
    async (way, expected) => {
      begin({ policy: { way } })
      const quote = (await view(BAND)).pairs[0]?.quote
      expect(quote?.readable === true ? quote.networkFeeFiat : null).toBe(expected)
    },
  )

  const BUY: PolicyRule = { ...BAND, sources: [WBTC] }
  const prices = { fetchPrice: async () => ({ fiat: PRICE, sources: 1 }) }

  test("counts the network's fee of a token, although no rule watches the coin that pays it", async () => {
    begin({ policy: { way: "onchain" }, prices })
    const built = await view(BUY)
    expect(findAsset(built, ETH)).toBeNull()
    const quote = built.pairs[0]?.quote
    const fees = { networkFeeFiat: 10n * 1_000_000n, refundFeeFiat: 10n * 1_000_000n }
    expect(quote).toMatchObject({ readable: true, ...fees })
  })

  test("counts the fees that a relay may pay for windows of fees alone, as admission does", async () => {
    begin({ policy: { way: "gasless" }, prices })
    const quote = (await view(BUY)).pairs[0]?.quote
    expect(quote).toMatchObject({ readable: true, windowFeesFiat: 20n * 1_000_000n })
    expect(quote).not.toHaveProperty("networkFeeFiat")
  })

  test("counts the fee that the redemption takes from a payout, and no unread fee as zero", async () => {
    begin()
    const before = (await view(BUY)).pairs[0]?.quote
    begin()
    let fail = false
    const port = context.chains.get(chainOf(BTC))
    if (port === undefined) throw new Error("no chain")
    const unread = new AppError({
      code: "bitcoin.unreachable",
      disposition: "transient",
      message: "none",
    })
    const estimatePayoutFee = async (): Promise<bigint> => (fail ? Promise.reject(unread) : 700n)
    const costly = withCapability(port, "outputs", { estimatePayoutFee })
    const chains = new Map([...context.chains, [chainOf(BTC), costly]])
    context = { ...context, chains }
    const after = (await view(BUY)).pairs[0]?.quote
    if (!before?.readable || !after?.readable) throw new Error("unreadable")
    expect(after).toMatchObject({
      bps: before.bps,
      fixedFeeFiat: before.fixedFeeFiat + 700n * 1_000_000n,
    })
    fail = true
    context = { ...context, memory: createMemory() }
    expect((await view(BUY)).pairs[0]?.quote).toMatchObject({
      readable: false,
      cause: { code: "bitcoin.unreachable" },
    })
  })

  test("requests no quote for an empty or unreadable source, and says so", async () => {
    begin()
    world.faults.inject("base.fetchBalance", { before: failure("transient", "evm.unreachable") }, 9)
    world.faults.inject(
      "arbitrum.fetchBalance",
      { lie: () => ({ units: 0n, spendableUnits: 0n }) },
      9,
    )
    const built = await view(BAND)
    expect(asked()).toBe(0)
    expect(built.pairs.map(({ quote }) => (quote.readable ? "" : quote.cause.code))).toEqual([
      "policy.view_incomplete",
      "policy.illiquid",
    ])
  })

  test("carries the reason for a missing quote", async () => {
    begin()
    world.faults.inject(
      "service.fetchQuotes",
      { before: failure("transient", "service.unavailable") },
      99,
    )
    const { declined, proposals } = evaluate(await view(BAND), [BAND], LIMITS)
    expect(proposals).toEqual([])
    expect(declined[0]?.reasons.map(({ code }) => code)).toEqual([
      "policy.price_missing",
      "policy.price_missing",
    ])
  })

  test("knows the payout of an occurrence in this tick when another rule watches that balance", async () => {
    begin()
    const rules = [DCA, { ...BAND, minUnits: 1_003_000n, targetUnits: 1_004_000n }]
    const built = await view(...rules)
    const due = [
      { rule: "dca", occurrence: "dca@1" },
      { rule: "band", occurrence: null },
    ]
    const { proposals, declined } = evaluate(built, rules, LIMITS, due)
    // It buys 4985, a unit more than its costs say, and the need of the band is met.
    expect(proposals).toMatchObject([{ rules: ["dca"], receiveUnits: 4_984n }])
    expect(declined).toMatchObject([
      { rule: "band", reasons: [{ code: "policy.target_satisfied" }] },
    ])
  })
})

describe("prices", () => {
  test(
    "come from the reference source when there is one, and weights in tolerance then request " +
      "no quote",
    async () => {
      begin({ prices: { fetchPrice: async () => ({ fiat: 7n, sources: 1 }) } })
      const built = await view(WEIGHTS)
      expect([price(built, WBTC), price(built, ARB)]).toEqual([7n, 7n])
      expect(asked()).toBe(0)
    },
  )

  test("of the reference source stay when a quote contains other ones", async () => {
    begin({ prices: { fetchPrice: async () => ({ fiat: PRICE + 1n, sources: 1 }) } })
    const built = await view(BAND)
    expect(built.pairs[0]?.quote).toMatchObject({ readable: true })
    expect([price(built, BTC), price(built, ETH)]).toEqual([PRICE + 1n, PRICE + 1n])
  })

  test("of a silent source are missing with a reason, and the service's price does not replace them", async () => {
    const silent = new AppError({
      code: "prices.unavailable",
      disposition: "transient",
      message: "none",
    })
    begin({ prices: { fetchPrice: async () => Promise.reject(silent) } })
    const built = await view(WEIGHTS)
    expect(asked()).toBe(0)
    const { declined } = evaluate(built, [WEIGHTS], LIMITS)
    expect(declined[0]?.reasons).toMatchObject([
      { code: "policy.price_missing", cause: "prices.unavailable", asset: WBTC },
      { code: "policy.price_missing", cause: "prices.unavailable", asset: ARB },
    ])
  })

  test("are missing when all assets are on one chain, because no quote can contain them", async () => {
    begin()
    const assets = new Map([...context.settings.assets].filter(([id]) => id === WBTC || id === ETH))
    context = { ...context, settings: { ...context.settings, assets } }
    const weights = [
      { asset: WBTC, bps: 5_000n },
      { asset: ETH, bps: 5_000n },
    ]
    const built = await view({ ...WEIGHTS, weights })
    expect(asked()).toBe(0)
    expect(findAsset(built, WBTC)?.priceCause).toMatchObject({ code: "policy.quote_missing" })
  })
})

describe("the amounts that show the costs of a pair", () => {
  // CAST: only these parts of a need count.
  const need = (over: Partial<Need>): Need =>
    ({ kind: "gain", asset: BTC, wantUnits: 1_000n, ...over }) as Need
  const way = { toBoundUnits: 1n, toTargetUnits: 2_000n }
  const fiat = (amount: bigint): Partial<PlanLimits> => ({
    maxOrder: { kind: "fiat", fiat: amount * PRICE },
  })
  const units = (amount: bigint): Partial<PlanLimits> => ({
    maxOrder: { kind: "units", byAsset: { [ETH]: amount } },
  })
  type Case = [
    name: string,
    large: bigint,
    need: Need | null,
    more?: {
      limits?: Partial<PlanLimits>
      spendable?: bigint
      price?: bigint | null
      out?: bigint
    },
  ]
  test.each<Case>([
    ["the need and one percent for costs", 1_010n, need({})],
    ["the need up to its target", 2_020n, need({ way })],
    ["at the price of the source", 2_020n, need({}), { price: PRICE / 2n }],
    ["whole units where the price does not divide", 337n, need({}), { price: 3n * PRICE }],
    ["what a loss loses", 1_000n, need({ kind: "lose", asset: ETH })],
    ["everything liquid for a larger need", 90n, need({}), { spendable: 100n, out: 10n }],
    ["everything liquid without a price", 5_000n, need({}), { price: null }],
    ["everything liquid without a need", 5_000n, null],
    ["everything liquid for an asset not in the view", 5_000n, need({ asset: WBTC })],
    ["the largest order in units", 700n, need({}), { limits: units(700n) }],
    [
      "no limit of another asset",
      1_010n,
      need({}),
      { limits: { maxOrder: { kind: "units", byAsset: {} } } },
    ],
    ["the largest order in fiat", 600n, need({}), { limits: fiat(600n) }],
    [
      "the largest order in fiat, rounded down",
      333n,
      need({}),
      { limits: fiat(1_000n), price: 3n * PRICE },
    ],
    ["no fiat limit without a price", 5_000n, null, { limits: fiat(600n), price: null }],
    ["one unit at least", 1n, need({ wantUnits: 0n }), {}],
  ])("%s", (_name, large, wanted, { limits, spendable = 5_000n, price = PRICE, out = 0n } = {}) => {
    const balance = {
      readable: true,
      spendableUnits: spendable,
      inFlightInUnits: 0n,
      inFlightOutUnits: out,
      floorUnits: 0n,
    } as const
    const view: TreasuryView = {
      assets: [
        { id: ETH, decimals: 0, balance, priceFiat: price },
        { id: BTC, decimals: 0, balance, priceFiat: PRICE },
      ],
      pairs: [],
    }
    const pair = { from: ETH, to: BTC, need: wanted, amounts: [] }
    const expected = large / 4n > 0n ? [large / 4n, large] : [large]
    const all = { ...LIMITS, ...limits }
    expect(amountsToQuote(view, pair, all)).toEqual({ units: expected })
    // One amount of an occurrence stands for the need; several are asked for as they are.
    expect(amountsToQuote(view, { ...pair, amounts: [40n, 40n] }, all)).toEqual({
      units: [10n, 40n],
    })
    expect(amountsToQuote(view, { ...pair, amounts: [90n, 40n, 90n] }, all)).toEqual({
      units: [40n, 90n],
    })
  })
})
