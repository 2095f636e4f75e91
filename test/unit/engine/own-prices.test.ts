import { beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import type { PriceFeed } from "#domain/price.ts"
import type { PricePort } from "#ports/prices.ts"
import { createPrices, type PricesOptions } from "#prices/create-prices.ts"
import { BTC, createWorld, type StartOptions, WBTC, type World } from "../../support/fake-world.ts"

const DOLLAR = 1_000_000n
const UNITS = 40_000n
/** Per whole unit of eight decimals: a dollar for the smallest unit. */
const TRUE_PRICE = 100_000_000n * DOLLAR
const LIMITS = {
  maxOrder: { kind: "fiat", fiat: 100n * DOLLAR },
  maxInFlight: 8,
  windows: [
    {
      perMs: 86_400_000,
      max: { kind: "fiat", fiat: 200n * DOLLAR },
      maxFeesFiat: null,
      maxCount: null,
    },
  ],
} as const
const NO_LIMITS = { maxOrder: null, maxInFlight: 8, windows: [] }

let world: World
beforeEach(() => {
  world = createWorld()
})

/** The real price port over feeds that the test sets; an asset without an entry has no source. */
function openPrices(
  priced: ReadonlyMap<AssetId, bigint>,
  more: Partial<PricesOptions> = {},
): PricePort {
  const feedOf = (asset: AssetId): PriceFeed => ({
    kind: "chainlink",
    address: asset,
    sequencer: null,
  })
  return createPrices({
    sources: [...priced.keys()].map((asset) => {
      return { asset, kind: "feed", chain: "anywhere", feed: feedOf(asset), maxAgeMs: 60_000 }
    }),
    readFeed: async (_chain, { address }) => {
      // CAST: `feedOf` wrote it.
      return { fiat: priced.get(address as AssetId) ?? 0n, atMs: world.clock.now() }
    },
    maxSpreadBps: 100n,
    required: true,
    timeoutMs: 1_000,
    clock: world.clock,
    ...more,
  })
}
const BOTH = new Map([
  [WBTC, TRUE_PRICE],
  [BTC, TRUE_PRICE],
])

async function codesOf(prices: PricePort, options: StartOptions = {}): Promise<readonly string[]> {
  const daemon = world.start({ settings: { limits: NO_LIMITS }, ...options, prices })
  const admission = await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS })
  if (admission.ok) return ["accepted"]
  return admission.reasons.map(({ code, cause }) =>
    cause === undefined ? code : `${code} ${cause}`,
  )
}

describe("a service that names false values", () => {
  beforeEach(() => {
    // 40 000 dollars for the smallest payout, and both sides are worth a millionth each by its own
    // words.
    Object.assign(world.service.conduct, { costBps: 9_999n, valueCostBps: 0n, unitFiat: 1n })
  })

  test("gets the whole amount where its values are trusted", async () => {
    const trusting = openPrices(new Map(), { required: false })
    expect(await codesOf(trusting, { settings: { limits: LIMITS } })).toEqual(["accepted"])
  })

  test("gets nothing where both assets have a price of our own", async () => {
    expect(await codesOf(openPrices(BOTH))).toEqual(["price.reference"])
  })

  test("passes no fiat limit, because the order counts with our own price", async () => {
    expect(await codesOf(openPrices(BOTH), { settings: { limits: LIMITS } })).toEqual(
      expect.arrayContaining(["limit.order", "limit.window"]),
    )
  })

  test("gets nothing where an asset has no price of our own: the refusal names the key", async () => {
    for (const priced of [new Map(), new Map([[WBTC, TRUE_PRICE]]), new Map([[BTC, TRUE_PRICE]])]) {
      expect(await codesOf(openPrices(priced))).toContain("price.reference_missing prices.missing")
    }
    const daemon = world.start({ settings: { limits: NO_LIMITS }, prices: openPrices(new Map()) })
    const admission = await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS })
    expect(JSON.stringify(admission)).toContain("prices.sources")
    expect(world.signatures).toEqual([])
  })

  test("gets nothing from a pegged pair, which is judged in units", async () => {
    const pegs = [{ assets: [WBTC, BTC], toleranceBps: 50n }]
    expect(await codesOf(openPrices(new Map([[WBTC, TRUE_PRICE]]), { pegs }))).toEqual([
      "price.reference",
    ])
  })
})

describe("an honest service", () => {
  test("fills an order at our own prices", async () => {
    expect(await codesOf(openPrices(BOTH))).toEqual(["accepted"])
    await world.run(() => world.signatures.length > 0)
  })

  test("fills an order of a pegged pair, and none while the peg does not hold", async () => {
    const pegs = [{ assets: [WBTC, BTC], toleranceBps: 50n }]
    expect(await codesOf(openPrices(new Map([[WBTC, TRUE_PRICE]]), { pegs }))).toEqual(["accepted"])
    const depegged = new Map([
      [WBTC, TRUE_PRICE],
      [BTC, (TRUE_PRICE * 10_051n) / 10_000n],
    ])
    expect(await codesOf(openPrices(depegged, { pegs }))).toContain(
      "price.reference_missing prices.peg_broken",
    )
  })
})

test("a peg that does not hold raises one alarm, and one more when it breaks again", async () => {
  const pegs = [{ assets: [WBTC, BTC], toleranceBps: 50n }]
  const priced = new Map(BOTH)
  const daemon = world.start({ prices: openPrices(priced, { pegs }) })
  const alarms = (): number =>
    daemon.context.journal
      .listAlerts(100)
      .filter(({ reason }) => reason.code === "prices.peg_broken").length
  await world.pass(200_000)
  expect(alarms()).toBe(0)
  priced.set(BTC, TRUE_PRICE * 2n)
  await world.pass(200_000)
  expect(alarms()).toBe(1)
  priced.set(BTC, TRUE_PRICE)
  await world.pass(120_000)
  priced.set(BTC, TRUE_PRICE / 2n)
  await world.pass(120_000)
  expect(alarms()).toBe(2)
})
