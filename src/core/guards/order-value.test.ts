import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { fiatOfUnits, valueOrder, withNetworkFees } from "./order-value.ts"

const ETH = parseAssetId("base_sepolia:eth")
const quote: Quote = {
  from: ETH,
  to: parseAssetId("bitcoin_testnet:btc"),
  sourceUnits: 10n ** 18n,
  destinationUnits: 3_880_000n,
  sourceFiat: 2_400_000_000n,
  destinationFiat: 2_390_000_000n,
  solverId: "s",
  estimatedSeconds: null,
}
const DECIMALS = { from: 18, to: 8 }
const price = (fiat: bigint) => ({ fiat, sources: 1 })
/** 1 ETH at 2500 for 0.0388 BTC at 62500, which is 2425. */
const REFERENCE = { from: price(2_500_000_000n), to: price(62_500_000_000n) }

describe("the value of an order for its limits", () => {
  test("is the larger of the quote's own value and the one by reference prices, and so are its fees", () => {
    expect(valueOrder(quote, REFERENCE, DECIMALS)).toMatchObject({
      sourceFiat: 2_500_000_000n,
      feesFiat: 75_000_000n,
    })
    const cheap = { from: price(1_000_000_000n), to: price(62_500_000_000n) }
    expect(valueOrder(quote, cheap, DECIMALS)).toMatchObject({
      sourceFiat: 2_400_000_000n,
      feesFiat: 10_000_000n,
    })
  })

  test("is the one that is known, and unknown without any; a gain is no negative fee", () => {
    const silent = { ...quote, sourceFiat: null, destinationFiat: null }
    expect(valueOrder(silent, REFERENCE, DECIMALS)).toMatchObject({
      sourceFiat: 2_500_000_000n,
      feesFiat: 75_000_000n,
    })
    expect(valueOrder(silent, { from: null, to: null }, DECIMALS)).toMatchObject({
      sourceFiat: null,
      feesFiat: null,
    })
    const gain = { from: price(1n), to: price(62_500_000_000n) }
    expect(valueOrder(silent, gain, DECIMALS)).toMatchObject({ feesFiat: 0n })
    expect(valueOrder({ ...quote, destinationFiat: 2_500_000_000n }, gain, DECIMALS)).toMatchObject(
      { feesFiat: 0n },
    )
  })

  test("rounds the sold value up and the bought value down, so that no limit counts too little", () => {
    const tiny = {
      ...quote,
      sourceUnits: 3n,
      destinationUnits: 3n,
      sourceFiat: null,
      destinationFiat: null,
    }
    const half = { from: price(5n), to: price(5n) }
    // 3 units of a tenth at 5 are 1.5 each way.
    expect(valueOrder(tiny, half, { from: 1, to: 1 })).toMatchObject({
      sourceFiat: 2n,
      feesFiat: 1n,
    })
  })

  test("counts the network fees of the deposit and of the refund, rounded up", () => {
    const nativePrice = { fiat: 1_000_000n, decimals: 6 }
    const value = { sourceFiat: 10n, feesFiat: 5n, nativePrice }
    const budget = { depositUnits: 3n, refundUnits: 4n }
    expect(withNetworkFees(value, budget)).toEqual({ sourceFiat: 10n, feesFiat: 12n })
    expect(withNetworkFees({ ...value, nativePrice: null }, budget)).toEqual({
      sourceFiat: 10n,
      feesFiat: 5n,
    })
    expect(fiatOfUnits(1n, { fiat: 1n, decimals: 18 })).toBe(1n)
    expect(fiatOfUnits(0n, { fiat: 1n, decimals: 18 })).toBe(0n)
  })
})
