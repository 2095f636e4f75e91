import { expect, test } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { MinedTransaction } from "#order/data.ts"
import { payoutWorth } from "./payout-worth.ts"

const ETHER = { symbol: "ETH", decimals: 18, token: null }
const TOKEN = asset("0xa1", 8)

function asset(token: string | null, decimals: number): Asset {
  return { id: parseAssetId("base:wbtc"), chain: toChainId("base"), decimals, token, htlc: [] }
}

// CAST: only the payout's amount is read.
const terms = { destinationUnits: 150_000_000n } as never
const mined: readonly MinedTransaction[] = []
const prices = { from: 1n, to: 60_000_000_000n, native: 1n, payoutCoin: 3_000_000_000n }

test("a token's payout is worth its value in the chain's coin", () => {
  // 1.5 of a coin that costs twenty times as much as ether.
  expect(payoutWorth({ terms, prices, mined }, TOKEN, ETHER)).toBe(30n * 10n ** 18n)
})

test("a payout in the chain's own coin needs no price", () => {
  const none = { from: null, to: null, native: null }
  expect(payoutWorth({ terms, prices: none, mined }, asset(null, 18), ETHER)).toBe(150_000_000n)
  const strk = { symbol: "STRK", decimals: 18, token: "0xa1" }
  expect(payoutWorth({ terms, prices: none, mined }, TOKEN, strk)).toBe(150_000_000n)
})

test.each([
  { ...prices, to: null },
  { ...prices, payoutCoin: null },
  { ...prices, payoutCoin: 0n },
  { from: 1n, to: 1n, native: 1n },
])("without both prices it is not known: %o", (known) => {
  expect(payoutWorth({ terms, prices: known, mined }, TOKEN, ETHER)).toBeNull()
  expect(payoutWorth({ terms: null, prices, mined }, TOKEN, ETHER)).toBeNull()
})

test("the fees of failed redemptions count against it, and no other fee does", () => {
  const fee = (purpose: MinedTransaction["purpose"], ok: boolean): MinedTransaction => {
    const place = { txid: "a", height: 1n, final: true, heldUnits: 0n }
    return { ...place, purpose, ok, feeUnits: 100_000_000n }
  }
  const worthAfter = (...mined: readonly MinedTransaction[]) =>
    payoutWorth({ terms, prices, mined }, asset(null, 18), ETHER)
  expect(worthAfter(fee("redeem", true), fee("deposit", false))).toBe(150_000_000n)
  expect(worthAfter(fee("redeem", false))).toBe(50_000_000n)
  expect(worthAfter(fee("redeem", false), fee("redeem", false))).toBe(0n)
})
