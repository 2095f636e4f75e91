import { expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { createHumaniser, humaniseReason } from "./human-units.ts"

const WBTC = parseAssetId("base_sepolia:wbtc")
const SOL = parseAssetId("solana_testnet:sol")
const humanise = createHumaniser({
  assets: [
    { id: WBTC, decimals: 8 },
    { id: SOL, decimals: 9 },
  ],
  chains: [
    {
      chain: toChainId("ethereum_sepolia"),
      nativeCoin: { symbol: "ETH", decimals: 18, token: null },
    },
  ],
})

test.each([
  [
    "Orders within 86400 s would sell more than allowed (50000000, at most 20000000)",
    "base_sepolia:wbtc",
    "Orders within 24 h would sell more than allowed (0.5 base_sepolia:wbtc, at most 0.2 " +
      "base_sepolia:wbtc)",
  ],
  [
    "The order is worth more than one order may be (500, at most 250)",
    "base_sepolia:wbtc",
    "The order is worth more than one order may be (500 usd, at most 250 usd)",
  ],
  [
    "The wallet holds 100000000000000000000 units of ethereum_sepolia:native less than the " +
      "books say",
    null,
    "The wallet holds 100 ETH less than the books say",
  ],
  [
    "The wallet has 12000000000000 smallest units of the coin of ethereum_sepolia for " +
      "network fees, and an order from base_sepolia:wbtc keeps back 500000000000000",
    "base_sepolia:wbtc",
    "The wallet has 0.000012 ETH for network fees, and an order from base_sepolia:wbtc keeps " +
      "back 0.0005 ETH",
  ],
  [
    "The order is larger than one order may be (12345678901, at most 10000000000)",
    "base_sepolia:wbtc",
    "The order is larger than one order may be (123.45678901 base_sepolia:wbtc, at most 100 " +
      "base_sepolia:wbtc)",
  ],
  [
    "got 5 of 7 units: contact the service",
    "solana_testnet:sol",
    "got 5 of 0.000000007 solana_testnet:sol: contact the service",
  ],
  ["the asset 12345678901 is unknown", "x:y", "the asset 12345678901 is unknown"],
  [
    "the swap service did not quote: expected amount to be within the range of 501 to 1000000000",
    "base_sepolia:wbtc",
    "the swap service did not quote: expected amount to be within the range of 0.00000501 " +
      "base_sepolia:wbtc to 10 base_sepolia:wbtc",
  ],
  [
    "slot 412345678, 12345 ms, 0x12345678901234567890",
    "solana_testnet:sol",
    "slot 412345678, 12345 ms, 0x12345678901234567890",
  ],
  [
    "paid 0.00111 base_sepolia:wbtc at 2026-03-04T09:30:00.000Z",
    null,
    "paid 0.00111 base_sepolia:wbtc at 2026-03-04T09:30:00.000Z",
  ],
])("%s", (text, about, shown) => {
  expect(humanise(text, about)).toBe(shown)
})

test("a short payout is in the bought asset, any other amount in the sold one", () => {
  const about = { from: "base_sepolia:wbtc", to: "solana_testnet:sol" }
  const reason = (code: string) =>
    humaniseReason(humanise, { code, message: "got 0 of 12345678901 units", found: "0" }, about)
  expect(reason("alarm.payout_short")).toEqual({
    code: "alarm.payout_short",
    message: "got 0 of 12.345678901 solana_testnet:sol",
    found: "0",
  })
  expect(reason("alarm.refund_short").message).toBe("got 0 of 123.45678901 base_sepolia:wbtc")
})

test("without a configuration the text stays", () => {
  expect(createHumaniser(null)("holds 100000000000 units of a:b")).toBe(
    "holds 100000000000 units of a:b",
  )
})
