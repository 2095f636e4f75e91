import { expect, test } from "vitest"
import { findForeignQuote } from "./quote-currency.ts"

const asset = "bitcoin:btc"
const json = (url: string, path = "price") => ({ asset, kind: "json", url, path })

test.each([
  [{ asset, kind: "coinbase", product: "BTC-EUR" }, "product"],
  [{ asset, kind: "coinbase", product: "BTC-USDT" }, "product"],
  [{ asset, kind: "coinbase", product: "USD-EUR" }, "product"],
  [{ asset, kind: "kraken", product: "XXBTZEUR" }, "product"],
  [{ asset, kind: "kraken", product: "XBT/CHF" }, "product"],
  [{ asset, kind: "kraken", product: "ETHXBT" }, "product"],
  [{ asset, kind: "kraken", product: "XBTUSDC" }, "product"],
  [json("https://a.example/simple/price?ids=bitcoin&vs_currencies=eur", "bitcoin.eur"), "path"],
  [json("https://a.example/simple/price?ids=bitcoin&vs_currencies=gbp"), "url"],
  [json("https://a.example/v2/quotes?convert=CHF"), "url"],
  [json("https://a.example/products/BTC-EUR/ticker"), "url"],
  [json("https://a.example/api/v3/ticker?symbol=BTCEUR"), "url"],
  [json("https://a.example/api/v2/ticker/btcgbp/"), "url"],
  [json("https://a.example/v2/exchange-rates?currency=BTC", "data.rates.EUR"), "path"],
])("names the key that tells another currency: %j", (source, key) => {
  expect(findForeignQuote(source)?.key).toBe(key)
})

test.each([
  [{ asset, kind: "coinbase", product: "BTC-USD" }],
  [{ asset, kind: "coinbase", product: "eurc-usd" }],
  [{ asset, kind: "kraken", product: "XBTUSD" }],
  [{ asset, kind: "kraken", product: "XXBTZUSD" }],
  [{ asset, kind: "kraken", product: "XBT/USD" }],
  [{ asset, kind: "kraken", product: "EURUSD" }],
  [json("https://a.example/api/v3/ticker?symbol=BTCUSDT")],
  [json("https://a.example/simple/price?ids=bitcoin&vs_currencies=usd", "bitcoin.usd")],
  [json("https://a.example/v2/exchange-rates?currency=EUR", "data.rates.USD")],
  [json("https://european.example/eur/btc/price")],
  [{ asset, kind: "chainlink", chain: "base", address: "0x1" }],
  [{ asset, kind: "coinbase", product: 7 }],
])("accepts dollars, and a source that tells no currency: %j", (source) => {
  expect(findForeignQuote(source)).toBeNull()
})
