import { describe, expect, test } from "vitest"
import { parseTicker, tickerAt } from "./parse-ticker.ts"

const NOW_MS = Date.parse("2026-03-02T08:00:00Z")
/** An answer in the form of the exchange's documentation. */
const COINBASE = JSON.stringify({
  ask: "65001.00",
  bid: "64999.00",
  volume: "5000.1",
  trade_id: 900000001,
  price: "65000.55",
  size: "0.001",
  time: "2026-03-02T07:59:58.123456Z",
  rfq_volume: "10.1",
})
const KRAKEN = JSON.stringify({
  error: [],
  result: {
    XXBTZUSD: [
      [1772438390, "64000.0", "64001.0"],
      [1772438399, "64999.0", "65001.0"],
    ],
    last: 1772438399,
  },
})

describe("the ticker of an exchange", () => {
  test("is asked at its documented address, or at a mirror", () => {
    expect(tickerAt("coinbase", "BTC-USD", null)).toBe(
      "https://api.exchange.coinbase.com/products/BTC-USD/ticker",
    )
    expect(tickerAt("kraken", "XBTUSD", "http://127.0.0.1:8/")).toBe(
      "http://127.0.0.1:8/0/public/Spread?pair=XBTUSD",
    )
  })

  test("is the middle of bid and ask", () => {
    expect(parseTicker("coinbase", COINBASE, 60_000, NOW_MS)).toBe(65_000_000_000n)
    expect(parseTicker("kraken", KRAKEN, 60_000, NOW_MS)).toBe(65_000_000_000n)
  })

  test.each([
    ["coinbase", COINBASE, 1_000, "2 s old"],
    ["kraken", KRAKEN, 500, "1 s old"],
    ["coinbase", COINBASE.replace("64999", "65002"), 60_000, "ask is below the bid"],
    ["coinbase", COINBASE.replace("64999", "64000"), 60_000, "100 bps apart"],
    ["coinbase", COINBASE.replace('"64999.00"', "null"), 60_000, "neither number nor text at bid"],
    ["coinbase", '{"message":"NotFound"}', 60_000, "nothing at bid"],
    ["kraken", '{"error":["EQuery:Unknown asset pair"]}', 60_000, "EQuery:Unknown asset pair"],
    ["kraken", '{"error":[],"result":{"last":1}}', 60_000, "not one pair"],
    [
      "kraken",
      '{"error":[],"result":{"A":[[1,"1","1"]],"B":[[1,"1","1"]]}}',
      60_000,
      "not one pair",
    ],
    ["kraken", '{"error":[],"result":{"A":[]}}', 60_000, "not one pair"],
    ["kraken", "<html>", 60_000, "not JSON"],
  ] as const)("of %s is refused: %s (%s ms)", (kind, text, maxAgeMs, why) => {
    expect(() => parseTicker(kind, text, maxAgeMs, NOW_MS)).toThrow(why)
  })
})
