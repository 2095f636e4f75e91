import { describe, expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { createValuation } from "./valuation.ts"

const FROM = parseAssetId("base:usdc")
const TO = parseAssetId("bitcoin:btc")
const COIN = parseAssetId("base:eth")
const PAYOUT_COIN = parseAssetId("solana:sol")
const OTHER = parseAssetId("base:wbtc")
const QUOTE: Quote = {
  from: FROM,
  to: TO,
  sourceUnits: 200n,
  destinationUnits: 50n,
  sourceFiat: 2_000n,
  destinationFiat: 1_500n,
  solverId: "s",
  estimatedSeconds: null,
}
const PRICES = { from: 3_000n, to: 5_000n, native: 7_000n }

function worthOf(
  asset: AssetId,
  quote: Quote | null,
  prices: typeof PRICES & { readonly payoutCoin?: bigint | null } = PRICES,
  decimals: number | null = 2,
) {
  const valuation = createValuation({ quote, prices }, COIN, () => decimals, PAYOUT_COIN)
  return valuation.post("a", asset, 10n).fiat
}

describe("the value of an amount", () => {
  test("is that of the quote for its two assets", () => {
    expect(worthOf(FROM, QUOTE)).toBe(100n)
    expect(worthOf(TO, QUOTE)).toBe(300n)
  })

  test("is that of the reference price where the quote has no value or no amount", () => {
    const silent = { ...QUOTE, sourceFiat: null, destinationFiat: null }
    const empty = { ...QUOTE, sourceUnits: 0n, destinationUnits: 0n }
    for (const quote of [silent, empty]) {
      expect([worthOf(FROM, quote), worthOf(TO, quote), worthOf(COIN, quote)]).toEqual([
        300n,
        500n,
        700n,
      ])
    }
    const one = { ...QUOTE, sourceUnits: 1n, destinationUnits: 1n }
    expect([worthOf(FROM, one), worthOf(TO, one)]).toEqual([20_000n, 15_000n])
  })

  test("is that of the reference price for the coin of the destination's fees", () => {
    expect(worthOf(PAYOUT_COIN, QUOTE, { ...PRICES, payoutCoin: 11_000n })).toBe(1_100n)
    expect(worthOf(PAYOUT_COIN, QUOTE, { ...PRICES, payoutCoin: null })).toBeNull()
    expect(worthOf(PAYOUT_COIN, QUOTE)).toBeNull()
  })

  test("is unknown for another asset, without a price, and without decimals", () => {
    expect([worthOf(OTHER, QUOTE), worthOf(FROM, null), worthOf(COIN, null)]).toEqual([
      null,
      null,
      700n,
    ])
    const silent = { ...QUOTE, sourceFiat: null }
    expect(worthOf(FROM, silent, PRICES, null)).toBeNull()
    // CAST: prices may be absent.
    const none = { from: null, to: null, native: null } as unknown as typeof PRICES
    expect([worthOf(FROM, silent, none), worthOf(COIN, QUOTE, none)]).toEqual([null, null])
  })
})
