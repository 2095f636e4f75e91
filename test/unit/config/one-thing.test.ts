import { describe, expect, test } from "vitest"
import { findForeignQuote } from "#config/check/quote-currency.ts"
import { judgeConfig } from "#config/judge/judge-config.ts"
import { parseConfig } from "#config/load.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { Secret } from "#lib/secret.ts"

/*
 * One coin that has two names, and one number that means another currency: `check` says so.
 */

const NODE = 'rpc: ["https://x"]'
const KEY = 'key: "env:K"'
const ESPLORA = `esplora: ["https://x"], ${KEY}`
const STARKNET = `${NODE}, account: "0x2", ${KEY}`
const MINT = "3NFxktQUvVCBMDfxDQ1iu4CetQpZhKPNf99PUPTcCV1z"
const MESSY = "0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"
const SHORT = MESSY.replace("0x0", "0x")
const COIN = "{ decimals: 18 }"
const token = (address: string, decimals: number): string =>
  `{ decimals: ${decimals}, token: "${address}" }`
const evm = (id: number): string => `{ own: { family: evm, chain_id: ${id}, ${NODE}, ${KEY} } }`
const faced = (address: string): string =>
  `{ "own:coin": ${COIN}, "own:token": ${token(address, 18)} }`

function refused(chains: string, assets: string): readonly string[] {
  const head = `service: { url: "https://s" }\nmode: observe\n`
  const text = `${head}chains: ${chains}\nassets: ${assets}\n`
  const secrets = (reference: string): Secret => new Secret("K", reference)
  const config = parseConfig(text, { file: "b.yaml", secrets })
  return judgeConfig(config, readYamlSource(text, "b.yaml").value).flatMap(
    ({ severity, path, message }) =>
      severity === "refuse" ? [`${path.join(".")}: ${message}`] : [],
  )
}

test.each([
  [
    "a mint of Solana",
    `{ solana: { ${NODE}, ${KEY} } }`,
    `{ "solana:usdc": ${token(MINT, 6)}, "solana:dollar": ${token(MINT, 6)} }`,
  ],
  [
    "a felt with and without its zeros",
    `{ starknet: { ${STARKNET} } }`,
    `{ "starknet:eth": ${token(MESSY, 18)}, "starknet:e": ${token(SHORT, 18)} }`,
  ],
  ["CELO, which is a token too", evm(42_220), faced("0x471EcE3750Da237f93B8E339c536989b8978a438")],
  ["POL, which is a token too", evm(137), faced("0x0000000000000000000000000000000000001010")],
  ["ETH of zkSync, a token too", evm(324), faced("0x000000000000000000000000000000000000800A")],
  ["METIS, which is a token too", evm(1_088), faced("0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000")],
  ["MNT, which is a token too", evm(5_000), faced("0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000")],
  ["GLMR, which is a token too", evm(1_284), faced("0x0000000000000000000000000000000000000802")],
  ["a usual word for the coin", evm(1), faced("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")],
  ["no address at all", evm(1), faced("0x0000000000000000000000000000000000000000")],
])("%s counts once", (_what, chains, assets) => {
  expect(refused(chains, assets)).toEqual([
    expect.stringMatching(/one coin|one token|counts twice/),
  ])
})

test.each([
  ["bitcoin", ESPLORA],
  ["solana", `${NODE}, ${KEY}`],
  ["starknet", STARKNET],
  ["ethereum", `${NODE}, ${KEY}`],
])("%s under two names with one key is one wallet", (preset, keys) => {
  const chains = `{ ${preset}: { ${keys} }, second: { preset: ${preset}, ${keys} } }`
  expect(refused(chains, "{}")).toEqual([expect.stringContaining("are one chain with one key")])
})

const json = (url: string, path = "price") => ({ asset: "bitcoin:btc", kind: "json", url, path })

describe("the currency of a price", () => {
  test.each([
    [json("https://a.example/data/price?fsym=BTC&tsyms=EUR", "EUR"), "path"],
    [json("https://a.example/api/v5/market/ticker?instId=BTC-EUR"), "url"],
    [json("https://a.example/v1/pubticker/btceur"), "url"],
    [json("https://a.example/v1/getticker?product_code=BTC_JPY"), "url"],
    [json("https://a.example/v1/ticker?markets=KRW-BTC"), "url"],
    [json("https://a.example/api/v3/ticker/price?symbol=BTCTRY"), "url"],
    [json("https://a.example/api/v3/ticker/price?symbol=BTCBRL"), "url"],
    [json("https://a.example/v2/tickers/btc_idr"), "url"],
    [json("https://a.example/v1/price?base=BTC&quote=EUR"), "url"],
    [json("https://a.example/v1/price?coin=btc&currency=eur"), "url"],
    [json("https://a.example/coins/bitcoin", "market_data.current_price.jpy"), "path"],
    [{ asset: "bitcoin:btc", kind: "coinbase", product: "BTC-GBP" }, "product"],
    [{ asset: "bitcoin:btc", kind: "kraken", product: "XBTJPY" }, "product"],
    [{ asset: "bitcoin:btc", kind: "kraken", product: "XBTAUD" }, "product"],
  ])("is named where it is not the dollar: %j", (source, key) => {
    expect(findForeignQuote(source)?.key).toBe(key)
  })

  test.each([
    [json("https://a.example/data/price?fsym=EUR&tsyms=USD", "USD")],
    [json("https://a.example/api/v5/market/ticker?instId=BTC-USDT")],
    [json("https://a.example/v1/pubticker/btcusd")],
    [json("https://a.example/v1/ticker?markets=USDT-BTC")],
    [json("https://a.example/v1/price?base=EUR&quote=USD")],
    [json("https://eur.example/v1/price?base=BTC", "result.usd")],
    [json("https://a.example/v1/tokens/0xeur0000/price")],
  ])("is the dollar, or is not told: %j", (source) => {
    expect(findForeignQuote(source)).toBeNull()
  })
})
