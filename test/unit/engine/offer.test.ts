import { beforeEach, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
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
