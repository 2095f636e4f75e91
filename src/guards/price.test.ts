import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import { judgeReference, type Reference } from "./price.ts"

const quote: Quote = {
  from: parseAssetId("base_sepolia:eth"),
  to: parseAssetId("bitcoin_testnet:btc"),
  sourceUnits: 10n ** 18n,
  destinationUnits: 3_880_000n,
  sourceFiat: null,
  destinationFiat: null,
  solverId: "s",
  estimatedSeconds: null,
}
const price = (fiat: bigint) => ({ fiat, sources: 1 })
/** 1 ETH at 2500 for 0.0388 BTC at 62500, which is 2425: exactly 300 bps are lost. */
const fair: Reference = { from: price(2_500_000_000n), to: price(62_500_000_000n) }
const share = { maxCost: { kind: "share", bps: 100n }, toleranceBps: 200n } as const

function codes(reference: Reference, limit: Parameters<typeof judgeReference>[3] = share, more: Partial<Quote> = {}) {
  return judgeReference({ ...quote, ...more }, reference, { from: 18, to: 8 }, limit).map(({ code }) => code)
}

describe("a quote by reference prices", () => {
  test("may lose the cost and the tolerance together, and not one unit more", () => {
    expect(codes(fair)).toEqual([])
    expect(codes(fair, share, { destinationUnits: 3_879_999n })).toEqual(["price.reference"])
    expect(codes(fair, { ...share, toleranceBps: 199n })).toEqual(["price.reference"])
  })

  test("may lose a cost in fiat and the tolerance of the source's value", () => {
    const fiat = { maxCost: { kind: "fiat", fiat: 25_000_000n }, toleranceBps: 200n } as const
    expect(codes(fair, fiat)).toEqual([])
    expect(codes(fair, { ...fiat, maxCost: { kind: "fiat", fiat: 24_999_999n } })).toEqual(["price.reference"])
  })

  test("is refused with the numbers", () => {
    const [reason] = judgeReference(quote, { ...fair, to: price(50_000_000_000n) }, { from: 18, to: 8 }, share)
    expect(reason).toMatchObject({ cost: "2240 bps", max: "300 bps", sourceFiat: "2500", destinationFiat: "1940" })
  })

  test("may gain", () => {
    expect(codes({ ...fair, to: price(90_000_000_000n) })).toEqual([])
  })

  test("is not judged when a side has no price source", () => {
    expect(codes({ from: price(1_000_000_000_000n), to: null })).toEqual([])
    expect(codes({ from: null, to: null })).toEqual([])
  })

  test("is refused while a configured price source is silent", () => {
    const missing = { missing: "no answer" }
    expect(codes({ ...fair, to: missing })).toEqual(["price.reference_missing"])
    expect(codes({ from: missing, to: missing })).toEqual(["price.reference_missing", "price.reference_missing"])
  })
})
