import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { Config } from "./config.ts"
import { parseConfig } from "./load.ts"

const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:4401"],
      key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111", htlc: [] }
`

function parse(text: string): Config {
  return parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret("x", reference) })
}

describe("the prices of a good file", () => {
  test("has price sources, by default none", () => {
    const usual = { pegs: [], maxSpreadBps: 150n, trustService: false }
    expect(parse(BASE).prices).toEqual({ sources: [], toleranceBps: 200n, ...usual })
    const asset = "base_sepolia:wbtc"
    const source =
      `{ asset: "${asset}", url: "https://a.example/p?x=1", path: data.0.price, time_path: ` +
      "time, max_age: 1m }"
    const plain = `{ asset: "${asset}", url: "https://b.example", path: price }`
    expect(
      parse(`${BASE}prices: { sources: [${source}, ${plain}], tolerance: "1%" }`).prices,
    ).toEqual({
      sources: [
        {
          asset,
          kind: "json",
          url: "https://a.example/p?x=1",
          path: "data.0.price",
          timePath: "time",
          maxAgeMs: 60_000,
        },
        {
          asset,
          kind: "json",
          url: "https://b.example",
          path: "price",
          timePath: null,
          maxAgeMs: 300_000,
        },
      ],
      toleranceBps: 100n,
      ...usual,
    })
  })

  test("has exchanges, feeds and pegs as prices", () => {
    const btc = "bitcoin_testnet:btc"
    const wbtc = "base_sepolia:wbtc"
    const feed = "AB".repeat(32)
    const text = `${BASE}prices:
  sources:
    - { asset: "${btc}", kind: coinbase, product: BTC-USD }
    - { asset: "${btc}", kind: kraken, product: XBTUSD, url: "http://127.0.0.1:9", max_age: 1m }
    - { asset: "${wbtc}", kind: chainlink, chain: base_sepolia, address: "0x${"1".repeat(40)}" }
    - { asset: "${wbtc}", kind: pyth, chain: base_sepolia, address: "${"1".repeat(32)}",
        feed: "0x${feed}" }
  pegs: [{ assets: [btc, "${wbtc}"] }]
`
    const { sources, pegs } = parse(text).prices
    const chain = "base_sepolia"
    expect(sources).toEqual([
      { asset: btc, kind: "coinbase", product: "BTC-USD", url: null, maxAgeMs: 300_000 },
      {
        asset: btc,
        kind: "kraken",
        product: "XBTUSD",
        url: "http://127.0.0.1:9",
        maxAgeMs: 60_000,
      },
      {
        asset: wbtc,
        kind: "feed",
        chain,
        maxAgeMs: 3_900_000,
        feed: { kind: "chainlink", address: `0x${"1".repeat(40)}`, sequencer: null },
      },
      {
        asset: wbtc,
        kind: "feed",
        chain,
        maxAgeMs: 300_000,
        feed: {
          kind: "pyth",
          address: "1".repeat(32),
          feedId: feed.toLowerCase(),
          maxConfidenceBps: 100n,
        },
      },
    ])
    expect(pegs).toEqual([{ assets: [btc, wbtc], toleranceBps: 50n }])
  })
})

describe("faulty prices are refused with their place", () => {
  test.each([
    [
      "a price source of another form",
      `${BASE}prices: { sources: [x] }`,
      "prices.sources[0]: expected a map of keys",
    ],
    [
      "a price of an unknown asset",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtx", url: "https://a.example/p", ` +
        "path: price }] }",
      "prices.sources[0].asset: expected an asset of assets, found base_sepolia:wbtx; did " +
        "you mean base_sepolia:wbtc?",
    ],
    [
      "a price with a faulty path",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtc", url: "https://a.example/p", ` +
        `path: "a..b" }] }`,
      "prices.sources[0].path: expected keys and list positions",
    ],
    [
      "a price source without the keys of its kind",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtc", kind: pyth, chain: ` +
        `base_sepolia, address: "${"1".repeat(32)}" }] }`,
      "prices.sources[0]: expected the key feed, which a source of kind pyth needs",
    ],
    [
      "a price source with a key of another kind",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtc", kind: kraken, product: ` +
        "XBTUSD, path: price }] }",
      "prices.sources[0].path: a source of kind kraken does not take path",
    ],
    [
      "a price in another currency",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtc", kind: coinbase, product: ` +
        "BTC-EUR }] }",
      "prices.sources[0].product: expected a price in dollars, such as BTC-USD or XBTUSD, " +
        'found "BTC-EUR"',
    ],
    [
      "a feed on an unknown chain",
      `${BASE}prices: { sources: [{ asset: "base_sepolia:wbtc", kind: chainlink, chain: ` +
        `base, address: "0x${"1".repeat(40)}" }] }`,
      "prices.sources[0].chain: expected a chain of chains, found base",
    ],
    [
      "an asset in two pegs",
      `${BASE}prices: { pegs: [{ assets: [btc, wbtc] }, { assets: [wbtc, btc] }] }`,
      "prices.pegs[1].assets[0]: expected each asset in one peg, found base_sepolia:wbtc again",
    ],
    [
      "a peg with one asset",
      `${BASE}prices: { pegs: [{ assets: [btc] }] }`,
      "prices.pegs[0].assets: expected at least two configured assets",
    ],
    [
      "a tolerance in fiat",
      `${BASE}prices: { tolerance: "2 usd" }`,
      "prices.tolerance: expected a share",
    ],
  ])("%s", (_name, text, expected) => {
    try {
      parse(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      expect(String(error)).toContain(expected)
    }
  })
})
