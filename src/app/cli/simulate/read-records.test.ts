import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { parseFlows, parseQuotes } from "./read-records.ts"

const CONFIG = parseConfig(
  `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d,
     chains: { bitcoin_testnet: { family: bitcoin, network: regtest,
         esplora: ["http://127.0.0.1:2"], key: "env:NONE" } },
     assets: { "bitcoin_testnet:btc": { decimals: 8 } }, rules: [] }`,
  { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
)

describe("recorded flows", () => {
  test("are read to the unit, and come back in the order of time", () => {
    const rows = parseFlows(
      "time,asset,amount\n2026-01-02T00:00:00Z,bitcoin_testnet:btc,-0.00000001\n2026-01-01T01:00:00+01:00,bitcoin_testnet:btc,1.5\n\n",
      "flows.csv",
      [CONFIG],
    )
    expect(rows).toEqual([
      { atMs: Date.UTC(2026, 0, 1), asset: "bitcoin_testnet:btc", units: 150_000_000n },
      { atMs: Date.UTC(2026, 0, 2), asset: "bitcoin_testnet:btc", units: -1n },
    ])
  })

  test.each([
    ["2026-02-31T00:00:00Z,bitcoin_testnet:btc,1", "time: expected"],
    ["2026-02-01T00:00:00,bitcoin_testnet:btc,1", "time: expected"],
    ["2026-02-01T00:00:00Z,nowhere:btc,1", "asset: expected a configured asset"],
    ["2026-02-01T00:00:00Z,bitcoin_testnet:btc,0.000000001", "at most 8 digits"],
    ["2026-02-01T00:00:00Z,bitcoin_testnet:btc,1e3", "is not an amount"],
    ["2026-02-01T00:00:00Z,bitcoin_testnet:btc", "expected 3 columns, found 2"],
    ["2026-02-01T00:00:00Z,bitcoin_testnet:btc,1,2", "expected 3 columns, found 4"],
  ])("name the line that is wrong: %s", (line, sentence) => {
    const read = () =>
      parseFlows(`time,asset,amount\n2026-01-01,bitcoin_testnet:btc,1\n${line}\n`, "flows.csv", [
        CONFIG,
      ])
    expect(read).toThrow(sentence)
    expect(read).toThrow("flows.csv:3:")
    expect(read).toThrow(expect.objectContaining({ code: "simulate.record", disposition: "fatal" }))
  })

  test("must have their columns, in whatever order", () => {
    expect(() => parseFlows("time,amount\n", "flows.csv", [CONFIG])).toThrow(
      "flows.csv:1: expected the columns",
    )
    expect(
      parseFlows("amount,asset,time\n1,bitcoin_testnet:btc,2026-01-01\n", "flows.csv", [CONFIG]),
    ).toHaveLength(1)
  })
})

describe("recorded quotes", () => {
  const head = "time,from,to,fixed_fiat,bps,from_price,to_price"

  test("may leave prices empty, never wrong", () => {
    const row = (prices: string): string =>
      `${head}\n2026-01-01,bitcoin_testnet:btc,bitcoin_testnet:btc,0.5,30,${prices}\n`
    expect(parseQuotes(row("100000,"), "quotes.csv", [CONFIG])).toMatchObject([
      { fixedFiat: 500_000n, bps: 30n, fromPriceFiat: 100_000_000_000n, toPriceFiat: null },
    ])
    expect(() => parseQuotes(row("0,"), "quotes.csv", [CONFIG])).toThrow(
      "quotes.csv:2: from_price: expected a price above zero",
    )
  })
})
