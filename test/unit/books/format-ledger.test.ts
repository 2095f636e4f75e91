import { describe, expect, test } from "vitest"
import { formatLedger } from "#books/format-ledger.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { BookedEntry } from "#domain/ledger.ts"
import { parseLedger } from "../../support/parse-ledger.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const decimalsOf = (asset: string): number => (asset === ETH ? 18 : 8)

const payout: BookedEntry = {
  id: 3,
  atMs: Date.UTC(2026, 2, 2, 8, 30),
  orderId: "order-1",
  key: "payout:ab",
  kind: "payout",
  tx: "ab",
  note: "sent; by, somebody\nelse",
  reverses: null,
  postings: [
    { account: "assets:in-transit:order-1", asset: ETH, units: -1n, fiat: null },
    { account: "equity:exchange", asset: ETH, units: 1n, fiat: null },
    { account: "equity:exchange", asset: BTC, units: -123_456_789n, fiat: -5_000_000n },
    { account: "assets:wallet:bitcoin_testnet", asset: BTC, units: 123_456_789n, fiat: 5_000_000n },
  ],
}

describe("plain-text accounting", () => {
  test("has every amount exactly, with quoted commodities, and balances", () => {
    const text = formatLedger([payout], decimalsOf)
    expect(text).toContain('-0.000000000000000001 "base_sepolia:eth"\n')
    expect(text).toContain('1.23456789 "bitcoin_testnet:btc"  ; fiat: 5\n')
    const { transactions, balances } = parseLedger(text)
    expect(transactions).toBe(1)
    expect(balances.get("assets:wallet:bitcoin_testnet bitcoin_testnet:btc")).toBe(
      123_456_789n * 10n ** 10n,
    )
  })

  test("names the entry that a counter-entry reverses", () => {
    const text = formatLedger([{ ...payout, id: 4, reverses: 3 }], decimalsOf)
    expect(text).toContain("payout reversed | order-1")
    expect(text).toContain("; reverses: 3\n")
  })

  test("leaves out an opening of zero, because it has no lines", () => {
    expect(parseLedger(formatLedger([{ ...payout, postings: [] }], decimalsOf)).transactions).toBe(
      0,
    )
  })

  test("is refused by the reader when it does not balance", () => {
    const [first, ...rest] = payout.postings
    const unbalanced = {
      ...payout,
      postings: [...(first ? [{ ...first, units: -2n }] : []), ...rest],
    }
    expect(() => parseLedger(formatLedger([unbalanced], decimalsOf))).toThrow("out of balance")
  })
})
