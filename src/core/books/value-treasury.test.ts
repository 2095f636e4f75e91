import fc from "fast-check"
import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { type ValuedAsset, valueTreasury } from "./value-treasury.ts"

const WBTC = parseAssetId("base:wbtc")
const USDC = parseAssetId("base:usdc")
const BTC_PRICE = 60_000_000_000n

const wbtc = (over: Partial<ValuedAsset> = {}): ValuedAsset => ({
  asset: WBTC,
  decimals: 8,
  now: { units: 150_000_000n, transitUnits: 0n, price: BTC_PRICE },
  before: null,
  outsideUnits: 0n,
  ...over,
})

test("sums the wallets and what is on its way", () => {
  const now = { units: 150_000_000n, transitUnits: 50_000_000n, price: BTC_PRICE }
  expect(valueTreasury([wbtc({ now })])).toEqual({
    total: 120_000_000_000n,
    transit: 30_000_000_000n,
    unpriced: [],
    unread: [],
    change: null,
  })
})

test("names an asset without a price or a reading, and counts neither as zero", () => {
  const unpriced = wbtc({ asset: USDC, now: { units: 5n, transitUnits: 0n, price: null } })
  const unread = wbtc({ now: { units: null, transitUnits: 0n, price: BTC_PRICE } })
  expect(valueTreasury([unpriced, unread])).toMatchObject({
    total: 0n,
    unpriced: [USDC],
    unread: [WBTC],
  })
})

test("a wallet that is empty needs no price", () => {
  const empty = wbtc({ now: { units: 0n, transitUnits: 0n, price: null } })
  expect(valueTreasury([empty]).unpriced).toEqual([])
})

test("splits the change into prices, money from outside, and the cost of swaps", () => {
  const before = { units: 100_000_000n, transitUnits: 0n, price: 50_000_000_000n }
  const { change } = valueTreasury([wbtc({ before, outsideUnits: 51_000_000n })])
  expect(change).toEqual({
    total: 40_000_000_000n,
    prices: 10_000_000_000n,
    outside: 30_600_000_000n,
    swaps: -600_000_000n,
  })
})

test("a deposit on its way changes nothing", () => {
  const before = { units: 150_000_000n, transitUnits: 0n, price: BTC_PRICE }
  const now = { units: 140_000_000n, transitUnits: 10_000_000n, price: BTC_PRICE }
  expect(valueTreasury([wbtc({ before, now })]).change).toEqual({
    total: 0n,
    prices: 0n,
    outside: 0n,
    swaps: 0n,
  })
})

test("without an old price only units make a difference", () => {
  const before = { units: 100_000_000n, transitUnits: 0n, price: null }
  expect(valueTreasury([wbtc({ before })]).change).toMatchObject({
    total: 30_000_000_000n,
    prices: 0n,
  })
})

test("the parts of a change always add up", () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
  const price = fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }))
  const moment = fc.record({ units: fc.option(units), transitUnits: units, price })
  const asset = fc.record({
    asset: fc.constantFrom(WBTC, USDC),
    decimals: fc.integer({ min: 0, max: 18 }),
    now: moment,
    before: fc.option(moment),
    outsideUnits: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  })
  fc.assert(
    fc.property(fc.array(asset, { maxLength: 6 }), (assets) => {
      const { change } = valueTreasury(assets)
      if (change !== null) expect(change.prices + change.outside + change.swaps).toBe(change.total)
    }),
  )
})
