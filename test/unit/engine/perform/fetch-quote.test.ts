import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { createMemory } from "#engine/memory.ts"
import { fetchQuote } from "#engine/orders/deposit/fetch-quote.ts"
import { judgeAfterApproval } from "#engine/orders/deposit/judge-after-approval.ts"
import type { Limits } from "#guards/limits.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import { defaultSettings } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { createManualClock } from "../../../support/manual-clock.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { sampleData } from "../../../support/sample-job.ts"

const NOW = 50_000_000
const FIAT = 1_000_000n
const { from, to } = SAMPLE.input.request
const DAY_MS = 86_400_000
const WINDOW = { perMs: DAY_MS, max: null, maxFeesFiat: null, maxCount: null }

type Scene = {
  readonly data?: Partial<OrderData>
  readonly quotes?: readonly Quote[]
  readonly limits?: Partial<Limits>
  /** Per whole unit of each asset; `null` for a source without an answer. */
  readonly price?: bigint | null
  /** The orders in flight at each count, the last one again and again. */
  readonly inFlight?: readonly number[]
  /** The sum of the window, without this order. */
  readonly usedFiat?: bigint
}

function sceneOf({ data = {}, quotes = [SAMPLE.quote], limits = {}, ...scene }: Scene) {
  const asked: object[] = []
  const counted: unknown[] = []
  const counts = [...(scene.inFlight ?? [1])]
  const plain = defaultSettings()
  const chains = [from, to].map((asset) => ({
    chain: chainOf(asset),
    account: "us",
    traits: familyNamed(asset === to ? "bitcoin" : "evm").traits,
  }))
  const context = {
    services: new Map([
      [
        "main",
        {
          fetchQuotes: async (question: object) => {
            asked.push(question)
            return quotes
          },
        },
      ],
    ]),
    chains: new Map(chains.map((one) => [one.chain, one])),
    settings: { ...plain, limits: { ...plain.limits, ...limits } },
    prices: {
      fetchPrice: async () => {
        if (scene.price === null) throw failure("transient", "prices.unavailable")
        return scene.price === undefined ? null : { fiat: scene.price, sources: 1 }
      },
    },
    journal: {
      readFlag: () => null,
      countInFlight: (of: object = {}) => {
        if (!("service" in of)) return 1
        return (counts.length > 1 ? counts.shift() : counts[0]) ?? 0
      },
      sumFiatWith: () => 0n,
      readFailures: () => [],
      sumWindow: (...of: readonly unknown[]) => {
        counted.push(of)
        return { fiat: scene.usedFiat ?? 0n, units: 0n, feesFiat: 0n, count: 0, unknown: 0 }
      },
    },
    clock: createManualClock(NOW),
    log: silentLogger,
    memory: createMemory(),
  }
  const order = sampleData({}, { patienceSince: NOW, ...data })
  // CAST: a quote is fetched with these parts alone.
  const job = { context, data: order, nowMs: NOW, repeated: false } as never
  return { job, asked, counted }
}

async function fetch(scene: Scene) {
  const { job, asked, counted } = sceneOf(scene)
  return { ...(await fetchQuote(job)), asked, counted }
}

const codesOf = ({ event }: Awaited<ReturnType<typeof fetch>>): readonly string[] =>
  "reasons" in event ? [...new Set(event.reasons.map(({ code }) => code))] : []

describe("the quote of an order", () => {
  test("is the best offer, with its value and the prices of the moment", async () => {
    const { event, asked } = await fetch({})
    expect(asked).toEqual([{ from, to, sourceUnits: 10_000n, affiliateBps: 0 }])
    expect(event).toMatchObject({
      type: "quote.accepted",
      quote: SAMPLE.quote,
      service: "main",
      payoutFeeUnits: 0n,
      value: { sourceFiat: SAMPLE.quote.sourceFiat },
      prices: { from: null, to: null, native: null },
    })
  })

  test("is asked for with the affiliates and the exact payout of its order", async () => {
    const { policy, request } = sampleData()
    const affiliateFees = [{ asset: from, address: "0x1", feeBps: 30 }]
    const exactOut = { units: 9_000n, mostUnits: null }
    const { asked } = await fetch({
      data: { policy: { ...policy, affiliateFees }, request: { ...request, exactOut } },
      quotes: [],
    })
    expect(asked).toMatchObject([{ affiliateBps: 30, exactUnits: 9_000n }])
  })

  test.each<[string, string, readonly string[], Scene]>([
    ["no solver gives waits", "work.deferred", ["quote.none"], { quotes: [] }],
    [
      "no solver gives in time ends the order",
      "order.declined",
      ["order.patience"],
      {
        quotes: [],
        data: { patienceSince: NOW - sampleData().policy.patienceMs - 1 },
      },
    ],
    [
      "costs too much ends the order",
      "order.declined",
      ["price.cost"],
      {
        quotes: [{ ...SAMPLE.quote, destinationUnits: 9_000n, destinationFiat: 9_000_000_000n }],
      },
    ],
    [
      "a silent price source cannot judge waits",
      "work.deferred",
      ["price.reference_missing"],
      {
        price: null,
      },
    ],
    [
      "is above the largest order ends it",
      "order.declined",
      ["limit.order"],
      {
        limits: { maxOrder: { kind: "fiat", fiat: 9_999n * FIAT } },
      },
    ],
    [
      "is exactly the largest order is accepted",
      "quote.accepted",
      [],
      {
        limits: { maxOrder: { kind: "fiat", fiat: 10_000n * FIAT } },
      },
    ],
    [
      "fills a window is accepted",
      "quote.accepted",
      [],
      {
        limits: { windows: [{ ...WINDOW, max: { kind: "fiat", fiat: 12_000n * FIAT } }] },
        usedFiat: 2_000n * FIAT,
      },
    ],
    [
      "passes a window ends the order",
      "order.declined",
      ["limit.window"],
      {
        limits: { windows: [{ ...WINDOW, max: { kind: "fiat", fiat: 12_000n * FIAT } }] },
        usedFiat: 2_000n * FIAT + 1n,
      },
    ],
    [
      "passes what a service may have ends the order",
      "order.declined",
      ["limit.in_flight_service"],
      {
        limits: { maxInFlightPerService: 1 },
        inFlight: [2],
      },
    ],
  ])("that %s", async (_name, type, codes, scene) => {
    const found = await fetch(scene)
    expect(found.event.type).toBe(type)
    expect(codesOf(found)).toEqual(codes)
  })

  test("counts without the order itself", async () => {
    const windows = [{ ...WINDOW, max: { kind: "fiat", fiat: 12_000n * FIAT } as const }]
    const { counted } = await fetch({ limits: { windows } })
    expect(counted.length).toBeGreaterThan(0)
    for (const one of counted) expect(one).toEqual([NOW - DAY_MS, from, "order-1"])
  })

  test("is judged once more as it is written, and then all offers anew", async () => {
    const limits = { maxInFlightPerService: 1 }
    const free = await fetch({ limits, inFlight: [0] })
    expect(free.recheck?.()).toBeNull()
    const taken = await fetch({ limits, inFlight: [0, 0, 2] })
    expect(taken.event.type).toBe("quote.accepted")
    expect(taken.recheck?.()).toMatchObject({
      type: "work.deferred",
      reasons: [{ code: "limit.in_flight_service" }],
      waitMs: 0,
    })
  })
})

describe("the price of an order after its approval", () => {
  const terms = { ...SAMPLE.terms, destinationUnits: 9_970n }
  const quoteOf = (destinationUnits: bigint, over: Partial<Quote> = {}): Quote => {
    const destinationFiat = destinationUnits * FIAT
    return { ...SAMPLE.quote, destinationUnits, destinationFiat, ...over }
  }

  test.each<[string, string | null, readonly string[], Scene]>([
    ["is allowed as it was", null, [], {}],
    [
      "is allowed where a better quote pays more for the same units",
      null,
      [],
      {
        quotes: [quoteOf(19_940n)],
      },
    ],
    [
      "is that of the fixed payout, in proportion to the quote",
      null,
      [],
      {
        // A unit of the payout is worth more now, and the order pays as many.
        quotes: [quoteOf(5_000n, { destinationFiat: 5_000n * FIAT })],
      },
    ],
    [
      "ends the order where its payout is worth less",
      "order.declined",
      ["approval.worse", "price.cost"],
      {
        quotes: [quoteOf(9_970n, { destinationFiat: 9_900n * FIAT })],
      },
    ],
    [
      "is just allowed",
      null,
      [],
      {
        quotes: [quoteOf(9_970n, { destinationFiat: 9_940n * FIAT })],
      },
    ],
    ["waits where no solver quotes", "work.deferred", ["quote.none"], { quotes: [] }],
    [
      "waits for a silent price source",
      "work.deferred",
      ["price.reference_missing"],
      { price: null },
    ],
    [
      "is refused without a value",
      "order.declined",
      ["approval.worse", "price.missing"],
      {
        quotes: [quoteOf(9_970n, { destinationFiat: null })],
      },
    ],
    [
      "is refused where the quote pays nothing",
      "order.declined",
      ["approval.worse", "price.missing"],
      {
        quotes: [quoteOf(0n, { destinationFiat: 0n })],
      },
    ],
  ])("%s", async (_name, type, codes, scene) => {
    const { job, asked } = sceneOf({ ...scene, data: { terms, approvedBy: "ops" } })
    const result = await judgeAfterApproval(job)
    expect(result?.event.type ?? null).toBe(type)
    if (result !== null) expect(codesOf({ ...result, asked, counted: [] })).toEqual(codes)
    expect(asked).toEqual([{ from, to, sourceUnits: 10_000n, affiliateBps: 0 }])
  })
})
