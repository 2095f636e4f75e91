import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { createMemory } from "#engine/memory.ts"
import {
  acceptOffer,
  judgeOffer,
  judgeRoute,
  judgeService,
  ownCostOf,
  readBestQuote,
  readBestQuotes,
  readOffer,
  readOfferPrices,
} from "#engine/rules/offer.ts"
import { readQuotes } from "#engine/rules/read-quotes.ts"
import { silentLogger } from "#lib/log.ts"
import { ARB, BTC, defaultSettings, ETH, WBTC } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

const FIAT = 10n ** 14n
const REQUEST = { from: ETH, to: BTC, sourceUnits: 10_000n, affiliateFees: [] }
const quote = (destinationUnits: bigint, over: Partial<Quote> = {}): Quote => ({
  from: ETH,
  to: BTC,
  sourceUnits: 10_000n,
  destinationUnits,
  sourceFiat: 10_000n * FIAT,
  destinationFiat: destinationUnits * FIAT,
  solverId: "s",
  estimatedSeconds: 20,
  ...over,
})
const TWO = { main: [quote(9_970n)], beta: [quote(9_980n)] }

type Answers = Readonly<Record<string, readonly Quote[] | Error>>
type Scene = {
  readonly answers?: Answers
  readonly routes?: Answers
  /** Per whole unit; `undefined` without a source. */
  readonly prices?: Readonly<Record<string, bigint | null | undefined>>
  readonly limits?: object
  readonly settings?: object
  readonly inFlight?: number
  readonly payoutFee?: bigint
  readonly redeemFee?: bigint
  readonly coinUnits?: bigint
}

function scene(given: Scene) {
  const { answers = TWO, prices = {}, limits = {}, settings = {} } = given
  const questions: object[] = []
  const source = (answer: readonly Quote[] | Error) => ({
    fetchQuotes: async (question: object) => {
      questions.push(question)
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const flags = new Map<string, string | null>()
  const leg = { estimateRedeemFee: async () => given.redeemFee ?? 1n }
  const native = { fetchNativeBalance: async () => given.coinUnits ?? 1_000n }
  const chains = [ETH, BTC, ARB].map((asset) => ({
    chain: chainOf(asset),
    account: "us",
    traits: familyNamed(asset === BTC ? "bitcoin" : "evm").traits,
    native,
    routeLegs: new Map([["cctp", leg]]),
    ...(given.payoutFee === undefined
      ? {}
      : { outputs: { estimatePayoutFee: async () => given.payoutFee } }),
  }))
  const plain = defaultSettings()
  const clock = createManualClock(1_000_000)
  const context = {
    services: new Map(Object.entries(answers).map(([name, one]) => [name, source(one)])),
    ...(given.routes === undefined
      ? {}
      : {
          routes: new Map(Object.entries(given.routes).map(([name, one]) => [name, source(one)])),
        }),
    chains: new Map(chains.map((one) => [one.chain, one])),
    settings: { ...plain, limits: { ...plain.limits, ...limits }, ...settings },
    prices: {
      fetchPrice: async (asset: string) => {
        const fiat = prices[asset]
        if (fiat === null) throw failure("transient", "prices.unavailable")
        return fiat === undefined ? null : { fiat, sources: 1 }
      },
    },
    journal: {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string | null) => void flags.set(key, value),
      countInFlight: () => given.inFlight ?? 0,
      sumFiatWith: () => 5n,
    },
    clock,
    log: silentLogger,
    memory: createMemory(),
    // CAST: offers read only these parts.
  } as unknown as Parameters<typeof readOffer>[0]
  return { context, questions, clock, flags }
}

const POLICY = defaultSettings().policyFor(ETH, BTC)
const offerOf = (given: Scene, judge: Parameters<typeof readOffer>[3] = () => [], over = {}) =>
  readOffer(scene(given).context, { ...REQUEST, ...over }, POLICY, judge)

describe("of two services", () => {
  test("the better one is the offer, with every quote in the order of their worth", async () => {
    const offer = await offerOf({})
    expect(offer).toMatchObject({ service: "beta", refusals: [], payoutFeeUnits: 0n })
    expect(
      offer?.considered.map(({ service, destinationUnits }) => [service, destinationUnits]),
    ).toEqual([
      ["beta", 9_980n],
      ["main", 9_970n],
    ])
    expect(offer).not.toHaveProperty("exactOut")
    expect(offer).not.toHaveProperty("besideFiat")
  })

  test("one that a guard refuses is left out, and its reason is kept", async () => {
    const judge = ({ service }: { readonly service: string }): Reason[] =>
      service === "beta" ? [{ code: "limit.value", message: "too much" }] : []
    const offer = await offerOf({}, judge)
    expect(offer).toMatchObject({ service: "main", refusals: [] })
    expect(offer?.considered[0]).toMatchObject({
      service: "beta",
      reasons: [{ code: "limit.value" }],
    })
  })

  test("both refused are the best one, with the reasons against each by its service", async () => {
    const offer = await offerOf({}, () => [{ code: "limit.value", message: "too much" }])
    expect(offer?.service).toBe("beta")
    expect(offer?.refusals.map(({ code, service }) => [code, service])).toEqual([
      ["limit.value", "beta"],
      ["limit.value", "main"],
    ])
  })

  test("an accepted order counts no limits but those of solvers", async () => {
    const limits = { maxInFlightPerService: 1, solvers: { deny: ["bad"] } }
    const answers = { main: [quote(9_970n)], beta: [quote(9_980n, { solverId: "bad" })] }
    const given = { answers, limits, inFlight: 1 }
    expect(await offerOf(given, null)).toMatchObject({ service: "main", refusals: [] })
    const judged = await offerOf(given)
    expect(judged?.refusals.map(({ code }) => code)).toContain("limit.in_flight_service")
  })

  // By its own words the cheap quote costs nothing; at the rate of the better one it costs 2 %.
  const cheap = quote(9_800n, { destinationFiat: 9_990n * FIAT })
  const better = quote(9_999n, { destinationFiat: 9_990n * FIAT })
  test.each<[string, NonNullable<Scene["prices"]>, boolean]>([
    ["no reference price", {}, true],
    ["one of the source alone", { [ETH]: FIAT }, true],
    ["one of the payout alone", { [BTC]: FIAT }, true],
    ["reference prices of both", { [ETH]: FIAT, [BTC]: FIAT }, false],
  ])("that disagree are judged at each other's rate with %s", async (_what, prices, byRate) => {
    const offer = await offerOf({ answers: { main: [cheap], beta: [better] }, prices })
    const main = offer?.considered.find(({ service }) => service === "main")
    const codes = main?.reasons.map(({ code }) => code) ?? []
    expect(codes.includes("quote.unproven")).toBe(byRate)
  })

  test("keep twenty quotes at most", async () => {
    const many = Array.from({ length: 30 }, (_, n) => quote(9_980n - BigInt(n)))
    const offer = await offerOf({ answers: { main: many, beta: [quote(9_970n)] } })
    expect(offer?.considered).toHaveLength(20)
  })

  test("of which one is asked for an exact payout are told so", async () => {
    const exactOut = { units: 9_980n, mostUnits: null }
    const { context, questions } = scene({})
    const offer = await readOffer(context, { ...REQUEST, exactOut }, POLICY, () => [])
    expect(offer?.exactOut).toBe(exactOut)
    expect(questions).toMatchObject([{ exactUnits: 9_980n }, { exactUnits: 9_980n }])
  })
})

describe("of one service", () => {
  const answers = (quotes: readonly Quote[]) => ({ answers: { main: quotes } })
  test("its first quote of an allowed solver is the offer, without a choice", async () => {
    const two = [quote(9_990n, { solverId: "bad" }), quote(9_970n)]
    const limits = { solvers: { deny: ["bad"] } }
    const offer = await offerOf({ ...answers(two), limits })
    expect(offer).toMatchObject({ quote: { destinationUnits: 9_970n }, considered: [] })
    const none = await offerOf({ ...answers(two.slice(0, 1)), limits })
    expect(none?.quote.destinationUnits).toBe(9_990n)
    expect((await offerOf(answers(two)))?.quote.destinationUnits).toBe(9_990n)
  })

  test("that quotes nothing there is no offer", async () => {
    expect(await offerOf(answers([]))).toBeNull()
    expect(await readBestQuote(scene(answers([])).context, REQUEST)).toBeNull()
    expect(await readBestQuotes(scene(answers([])).context, REQUEST)).toEqual([])
  })

  test("its first quote is the best one for those that judge nothing", async () => {
    const two = [quote(9_970n), quote(9_990n)]
    expect((await readBestQuote(scene(answers(two)).context, REQUEST))?.destinationUnits).toBe(
      9_970n,
    )
    expect(await readBestQuotes(scene(answers(two)).context, REQUEST)).toHaveLength(1)
  })
})

describe("of a service and a route", () => {
  const route = quote(9_960n, { kind: "cctp", solverId: "" })
  const both = { answers: { main: [quote(9_970n)] }, routes: { cctp: [route] } }
  test("the best quote of each kind is known, with the fee of the route's payout", async () => {
    const quotes = await readBestQuotes(scene({ ...both, redeemFee: 3n }).context, REQUEST)
    expect(quotes.map(({ kind = "htlc", redeemFeeUnits }) => [kind, redeemFeeUnits])).toEqual([
      ["htlc", undefined],
      ["cctp", 3n],
    ])
  })

  test("the route is left out where deposits are gasless", async () => {
    const settings = { policyFor: () => ({ ...POLICY, way: "gasless" as const }) }
    const quotes = await readBestQuotes(scene({ ...both, settings }).context, REQUEST)
    expect(quotes.map(({ kind = "htlc" }) => kind)).toEqual(["htlc"])
  })

  test("the costs beside a quote are the payout's fee and the time of the money", async () => {
    const offers = async (prices: Scene["prices"]) => {
      const given = { ...both, redeemFee: 1_000n, coinUnits: 3_000n, ...(prices && { prices }) }
      const offer = await readOffer(
        scene(given).context,
        REQUEST,
        { ...POLICY, capitalBps: 0n },
        () => [],
      )
      return offer
    }
    const found = await offers({ [BTC]: 10n ** 8n })
    expect(found?.besideFiat).toBe(found?.quote.kind === "cctp" ? 1_000n : 0n)
  })

  test("the route is refused without the coin for its payout", async () => {
    const offer = await offerOf({ ...both, answers: {}, coinUnits: 2n })
    expect(offer?.quote.kind).toBe("cctp")
    const two = await offerOf({ ...both, coinUnits: 2n })
    const reasons = two?.considered.find(({ service }) => service === "cctp")?.reasons ?? []
    expect(reasons.map(({ code }) => code)).toContain("route.payout_gas")
  })
})

describe("the judgement of one offer", () => {
  const settings = { settings: defaultSettings() }
  const side = (fiat: bigint) => ({ fiat, sources: 1 })
  const reference = { from: side(FIAT), to: side(FIAT), peg: null, native: null }
  const offer = {
    quote: quote(9_970n),
    service: "main",
    reference,
    payoutFeeUnits: 0n,
    considered: [],
    refusals: [],
  }
  const codes = (over: object) =>
    judgeOffer(settings, { ...offer, ...over }, POLICY, null).refusals.map(({ code }) => code)

  test("is that of its choice, where that refused it", () => {
    expect(codes({})).toEqual([])
    expect(codes({ refusals: [{ code: "x", message: "" }] })).toEqual(["x"])
    expect(codes({ quote: quote(9_000n) })).not.toEqual([])
  })

  test("counts the payout's fee as a cost", () => {
    expect(codes({ payoutFeeUnits: 29n })).toEqual([])
    expect(codes({ payoutFeeUnits: 31n })).not.toEqual([])
  })

  test("keeps what the order needs, and the considered quotes where there are any", () => {
    const { quote: own, service } = offer
    const kept = { type: "quote.accepted", quote: own, service, payoutFeeUnits: 0n }
    expect(acceptOffer(offer)).toEqual(kept)
    const considered = [{ service, solverId: "s", destinationUnits: 1n, reasons: [] }]
    expect(acceptOffer({ ...offer, considered })).toEqual({ ...kept, considered })
  })

  test("of a service and of a route count what is in flight", () => {
    const { context } = scene({ inFlight: 2, limits: { maxInFlightPerService: 2 } })
    expect(judgeService(context, offer)).toMatchObject([{ code: "limit.in_flight_service" }])
    const free = scene({ inFlight: 1, limits: { maxInFlightPerService: 2 } })
    expect(judgeService(free.context, offer)).toEqual([])
    const cctp = { service: "cctp", quote: quote(1n, { kind: "cctp", sourceFiat: 5n }) }
    const room = (most: bigint) =>
      judgeRoute(scene({ limits: { maxRouteFiat: { cctp: most } } }).context, cctp, null)
    expect([room(10n), room(9n).map(({ code }) => code)]).toEqual([[], ["limit.route_in_flight"]])
  })
})

describe("the costs beside a quote", () => {
  const risk = { refundPpm: 7n, lockPpb: 9n } as never
  const coinOf = () => ({ decimals: 2 })
  const feeBudget = { depositUnits: 200n, refundUnits: 300n }
  const of = (over: object, kind?: "cctp") =>
    ownCostOf(coinOf, {
      policy: { way: "onchain", risk },
      feeBudget,
      quote: quote(1n, kind === undefined ? {} : { kind, redeemFeeUnits: 400n }),
      prices: { native: 10n, payoutCoin: 100n },
      ...over,
    } as never)

  test("are the network's fees, and the risk of a refund", () => {
    expect(of({})).toEqual({ fees: { depositFiat: 20n, refundFiat: 30n }, risk })
    expect(of({ policy: { way: "gasless", risk } })).toEqual({
      fees: { depositFiat: 0n, refundFiat: 0n },
      risk,
    })
    expect(of({ prices: { native: null } })).toMatchObject({ fees: { depositFiat: 0n } })
    expect(of({ feeBudget: null })).toMatchObject({ fees: { depositFiat: 0n } })
    expect(of({ policy: { way: "onchain" } })).toBeNull()
  })

  test("of a route are its deposit and its redemption: nothing returns it", () => {
    const fees = { depositFiat: 20n, refundFiat: 0n, redeemFiat: 400n }
    expect(of({}, "cctp")).toMatchObject({ fees })
    expect(of({ policy: { way: "gasless", risk } }, "cctp")).toMatchObject({ fees })
    expect(of({ prices: { native: 10n } }, "cctp")).toMatchObject({ fees: { redeemFiat: 0n } })
  })
})

describe("the quotes of services", () => {
  const silent = failure("transient", "service.http")
  const refused = failure("refused", "service.no_pair")
  const ask = (answers: Answers) => readQuotes(scene({ answers }).context, REQUEST)

  test("are fifty of each at most", async () => {
    const many = Array.from({ length: 51 }, () => quote(1n))
    expect(await ask({ main: many })).toHaveLength(50)
  })

  test("are those of the others where one fails", async () => {
    expect((await ask({ main: silent, beta: [quote(1n)] })).map(({ service }) => service)).toEqual([
      "beta",
    ])
  })

  test("that all fail are the passing error, or else the first refusal", async () => {
    await expect(ask({ main: refused, beta: silent })).rejects.toBe(silent)
    await expect(ask({ main: refused, beta: refused })).rejects.toBe(refused)
    const mistake = new Error("a mistake of ours")
    await expect(ask({ main: refused, beta: mistake })).rejects.toBe(mistake)
    expect(await ask({ main: refused, beta: [] })).toEqual([])
    expect(await ask({ main: [] })).toEqual([])
  })

  test("wait five seconds for each of several, and for a single one as long as it takes", async () => {
    const { context, clock } = scene({})
    const never = { fetchQuotes: () => new Promise<never>(() => undefined) }
    Object.assign(context, {
      services: new Map<string, object>([...context.services, ["beta", never]]),
    })
    let isOver = false
    const asked = readQuotes(context, REQUEST).then((found) => {
      isOver = true
      return found
    })
    clock.set(clock.now() + 4_999)
    await settle()
    expect(isOver).toBe(false)
    clock.set(clock.now() + 1)
    expect((await asked).map(({ service }) => service)).toEqual(["main"])
  })

  test("wait shorter where a service's own time-out is", async () => {
    const settings = {
      quoteTimeouts: new Map([
        ["beta", 700],
        ["main", 60_000],
      ]),
    }
    const { context, clock } = scene({ settings })
    const never = { fetchQuotes: () => new Promise<never>(() => undefined) }
    Object.assign(context, {
      services: new Map<string, object>([...context.services, ["beta", never]]),
    })
    const asked = readQuotes(context, REQUEST)
    clock.set(clock.now() + 700)
    expect(await asked).toHaveLength(1)
    Object.assign(context, {
      services: new Map([
        ["main", never],
        ["beta", never],
      ]),
    })
    const both = readQuotes(context, REQUEST).catch((error: unknown) => error)
    await settle()
    clock.set(clock.now() + 4_999)
    await settle()
    clock.set(clock.now() + 1)
    // The other one rests since its silence before.
    expect(await both).toMatchObject({ code: "service.silent", details: { ms: 5_000 } })
  })

  test("that all rest are asked for when the first rest ends", async () => {
    const { context, clock } = scene({ answers: { main: silent, beta: silent } })
    await expect(readQuotes(context, REQUEST)).rejects.toBe(silent)
    await expect(readQuotes(context, REQUEST)).rejects.toMatchObject({
      code: "service.resting",
      details: { retryAfterMs: 5_000 },
    })
    clock.set(clock.now() + 1_000)
    await expect(readQuotes(context, REQUEST)).rejects.toMatchObject({
      details: { retryAfterMs: 4_000 },
    })
  })

  test("that refuse while another one rests are asked for again", async () => {
    const given = scene({ answers: { main: silent, beta: refused } })
    await expect(readQuotes(given.context, REQUEST)).rejects.toBe(silent)
    await expect(readQuotes(given.context, REQUEST)).rejects.toMatchObject({
      code: "service.resting",
    })
  })
})

describe("the prices that an order keeps", () => {
  const keeper = { ownSecrets: { keeper: {} } }
  const prices = { [ETH]: FIAT, [BTC]: 3n * FIAT }

  test.each<[string, bigint | undefined, object, Partial<Quote>]>([
    ["none for the payout of a service", undefined, {}, { from: BTC, to: WBTC }],
    ["the coin's for a redemption of our own", FIAT, keeper, { from: BTC, to: WBTC }],
    ["none for one in the coin itself", undefined, keeper, { from: BTC, to: ETH }],
    ["the coin's for the payout of a route", FIAT, {}, { from: BTC, to: WBTC, kind: "cctp" }],
    ["the coin's for one of a route in it", FIAT, {}, { from: BTC, to: ETH, kind: "cctp" }],
  ])("have %s", async (_name, payoutCoin, settings, over) => {
    const { context } = scene({ prices, settings })
    const reference = { from: null, to: null, peg: null, native: null }
    const kept = { quote: quote(1n, over), service: "main", reference, payoutFeeUnits: 0n }
    const found = await readOfferPrices(context, { ...kept, considered: [], refusals: [] })
    expect(found.payoutCoin).toBe(payoutCoin)
    expect(found.native).toBe(3n * FIAT)
  })

  test("a service is asked alone for its first quote, and two are judged", async () => {
    const high = quote(9_980n)
    const low = quote(9_970n)
    expect(await readBestQuote(scene({ answers: { main: [low, high] } }).context, REQUEST)).toBe(
      low,
    )
    const two = scene({ answers: { main: [low], beta: [high] } })
    expect(await readBestQuote(two.context, REQUEST)).toMatchObject({ destinationUnits: 9_980n })
  })
})
