import { beforeEach, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import {
  countServicesLeft,
  feeCoinAmong,
  type Offer,
  readOfferPrices,
} from "#engine/rules/offer.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

let world: World
beforeEach(() => {
  world = createWorld()
})

/** One of the currency for each smallest unit, as the service values them. */
const UNIT = 10n ** 14n
const dear = { [ETH]: 2n * UNIT, [BTC]: UNIT }
const fair = { [ETH]: UNIT, [BTC]: UNIT }

/** `null`: the source gives no price now. */
function start(priceOf: (asset: AssetId) => bigint | null | undefined): Daemon {
  const fetchPrice = async (asset: AssetId): Promise<{ fiat: bigint; sources: number } | null> => {
    const fiat = priceOf(asset)
    if (fiat === null) throw failure("transient", "prices.unavailable")
    return fiat === undefined ? null : { fiat, sources: 1 }
  }
  return world.start({ prices: { fetchPrice } })
}
const request = { from: ETH, to: BTC, sourceUnits: 10_000n }

test("a quote that is cheap by its own values and too expensive by reference prices is refused", async () => {
  const daemon = start((asset) => dear[asset])
  expect(await daemon.engine.submit(request)).toMatchObject({
    ok: false,
    reasons: [{ code: "price.reference", cost: "5015 bps", max: "60 bps" }],
  })
  expect(world.service.orders).toEqual([])
})

test("a quote that agrees with the reference prices is accepted", async () => {
  expect(await start((asset) => fair[asset]).engine.submit(request)).toMatchObject({ ok: true })
})

test("a request by hand is refused while a configured price source is silent", async () => {
  const admission = await start((asset) => (asset === BTC ? null : fair[asset])).engine.submit(
    request,
  )
  expect(admission).toMatchObject({
    ok: false,
    reasons: [{ code: "price.reference_missing", asset: BTC }],
  })
})

test("an order that was accepted without a quote waits for the price source, and is judged then", async () => {
  let prices: Readonly<Record<AssetId, bigint>> | null = null
  const daemon = start((asset) => (prices === null ? null : prices[asset]))
  world.faults.inject("service.fetchQuotes", { before: failure("transient") })
  const admission = await daemon.engine.submit(request)
  if (!admission.ok) throw new Error(JSON.stringify(admission.reasons))
  await world.pass(30_000)
  expect(daemon.order(admission.id).data.reasons).toMatchObject([
    { code: "price.reference_missing" },
    { code: "price.reference_missing" },
  ])
  prices = dear
  await world.run(() =>
    daemon.order(admission.id).data.reasons.some(({ code }) => code === "price.reference"),
  )
  expect(world.service.orders).toEqual([])
})

test("the prices of an offer are those that it was judged by, with each that was left out", async () => {
  const { context } = start((asset) => (asset === ETH ? 5n : 6n))
  const side = (fiat: bigint) => ({ fiat, sources: 1 })
  const gone = { missing: "silent", cause: "prices.unavailable" }
  const pricesOf = (from: AssetId, reference: object, to: AssetId = BTC) =>
    // CAST: only the pair of a quote counts.
    readOfferPrices(context, { quote: { from, to } as Quote, reference } as Offer)
  const nativeDecimals = context.settings.assets.get(ETH)?.decimals
  const sides = { from: side(3n), to: side(4n), peg: null, native: null }
  expect(await pricesOf(ETH, sides)).toEqual({ from: 3n, to: 4n, native: 3n, nativeDecimals })
  expect(await pricesOf(WBTC, sides)).toEqual({ from: 3n, to: 4n, native: 5n, nativeDecimals })
  expect(await pricesOf(WBTC, sides, ETH)).toMatchObject({ native: 4n })
  const judged = { ...sides, from: gone, to: null, native: { price: side(7n) } }
  expect(await pricesOf(ETH, judged)).toMatchObject({ from: null, to: null, native: 7n })
  const outlier = { source: "one", fiat: 9n }
  const both = {
    ...sides,
    from: { ...side(3n), outliers: [outlier] },
    to: { ...side(4n), outliers: [outlier] },
  }
  expect(await pricesOf(ETH, both)).toMatchObject({
    outliers: [
      { asset: ETH, ...outlier },
      { asset: BTC, ...outlier },
    ],
  })
})

test("services have room up to the limit of each, and a coin's fees count where a window says so", () => {
  const { context } = start(() => undefined)
  world.addService("other")
  const left = (most: number | undefined, open: number): number | null => {
    const limits = {
      ...context.settings.limits,
      ...(most === undefined ? {} : { maxInFlightPerService: most }),
    }
    const journal = {
      countInFlight: ({ service }: { service: string }) => (service === "main" ? open : 1),
    }
    const services = new Map([...context.services, ["other", context.services.get("main")]])
    // CAST: only these parts are counted.
    return countServicesLeft({
      ...context,
      journal,
      services,
      settings: { ...context.settings, limits },
    } as unknown as typeof context)
  }
  expect([left(undefined, 0), left(4, 1), left(4, 4), left(4, 6), left(0, 0)]).toEqual([
    null,
    6,
    3,
    3,
    0,
  ])
  const coin = context.settings.assets.get(ETH) ?? null
  const window = { perMs: 1, max: null, maxFeesFiat: null, maxCount: null }
  expect(feeCoinAmong({ windows: [window] }, coin)).toBeNull()
  expect(feeCoinAmong({ windows: [window, { ...window, maxFeesFiat: 1n }] }, coin)).toBe(coin)
})
