import { expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { Sum, Swap } from "./read-swap.ts"
import { decodeSwap, encodeSwap } from "./swap-text.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const sum = (asset: AssetId, units: bigint, fiat: bigint | null): Sum => ({ asset, units, fiat })

/** Every value is another one, so that a value in the wrong place shows. */
const FULL: Swap = {
  id: "order-1",
  serviceOrderId: "aa",
  service: "main",
  kind: "cctp",
  solver: "solver",
  rule: "dca",
  outcome: "completed",
  state: "completed-state",
  askedAtMs: 1,
  depositedAtMs: 2,
  paidAtMs: 3,
  redeemedAtMs: 4,
  endedAtMs: 5,
  sent: sum(ETH, 10n ** 30n, 6n),
  received: sum(BTC, 7n, null),
  refunded: sum(ETH, 0n, 8n),
  swapCost: sum(ETH, -9n, 0n),
  affiliateCost: sum(ETH, 11n, 12n),
  payoutCost: sum(BTC, 13n, -(10n ** 20n)),
  networkFee: sum(parseAssetId("base_sepolia:native"), 14n, 15n),
  redeemFee: sum(parseAssetId("bitcoin_testnet:native"), 10n ** 26n, 21n),
  quoted: { sourceUnits: 16n, destinationUnits: 10n ** 25n },
  prices: { from: 17n, to: 10n ** 24n },
  depositTx: "d",
  payoutTx: "p",
  refundTx: "r",
  feeTxs: ["f", "g"],
  isBooked: true,
  earned: [
    { asset: ETH, address: "0x1", feeBps: 18, units: 19n },
    { asset: BTC, address: "0x2", feeBps: 20, units: null },
  ],
}
const EMPTY: Swap = {
  ...FULL,
  serviceOrderId: null,
  service: null,
  kind: null,
  solver: null,
  outcome: null,
  depositedAtMs: null,
  paidAtMs: null,
  redeemedAtMs: null,
  endedAtMs: null,
  sent: sum(ETH, 0n, 0n),
  received: sum(BTC, 0n, null),
  redeemFee: null,
  quoted: null,
  prices: { from: null, to: null },
  depositTx: null,
  payoutTx: null,
  refundTx: null,
  feeTxs: [],
  isBooked: false,
  earned: [],
}

test.each([
  ["with every value", FULL],
  ["with as few values as possible", EMPTY],
  ["of a service with a redemption of ours", { ...FULL, kind: "htlc" }],
  ["of a route that another party redeemed", { ...FULL, redeemFee: null }],
])("a swap %s is the same after it was written and read", (_name, swap) => {
  expect(decodeSwap(swap.id, encodeSwap(swap))).toEqual(swap)
})

test("the text of a version before stays readable, and small amounts are numbers", () => {
  expect(JSON.parse(encodeSwap(FULL)).slice(0, 2)).toEqual([1, "aa"])
  expect(JSON.parse(encodeSwap(FULL))[15].slice(0, 4)).toEqual([`1${"0".repeat(30)}`, 6, 7, null])
})

test.each(["", "{}", "[]", "null", JSON.stringify([2, "aa"]), '{"0":1}'])(
  "%j is a text of another version, for which the order itself is read",
  (text) => {
    expect(decodeSwap("order-1", text)).toBeNull()
  },
)

test("swaps without an amount share nothing of another asset", () => {
  const other: Swap = { ...EMPTY, sent: sum(BTC, 0n, 0n), refunded: sum(BTC, 0n, 0n) }
  const [eth, btc] = [EMPTY, other].map((swap) => decodeSwap("order-1", encodeSwap(swap)))
  expect([eth?.sent.asset, btc?.sent.asset]).toEqual([ETH, BTC])
})
