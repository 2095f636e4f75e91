import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { PricePort } from "#ports/prices.ts"
import { checkReferencePrices } from "./check-prices.ts"

const CONFIG = parseConfig(
  `service: { url: "http://127.0.0.1:1" }
chains: { bitcoin_testnet: { preset: bitcoin_testnet, esplora: ["http://127.0.0.1:1"],
    key: "env:K" } }
assets: { "bitcoin_testnet:btc": { decimals: 8 } }
guards: { max_order: "500", approve_above: "50 usd" }
`,
  { file: "b.yaml", secrets: (reference) => new Secret("x", reference) },
)

test("the guards are shown at today's prices, in fiat and in units", async () => {
  const prices: PricePort = { fetchPrice: async () => ({ fiat: 100_000_000_000n, sources: 3 }) }
  const found = await checkReferencePrices(CONFIG, prices)
  expect(found).toEqual(
    expect.arrayContaining([
      {
        check: "price bitcoin_testnet:btc",
        status: "ok",
        found: "100000 usd from 3 sources",
        todo: null,
      },
      expect.objectContaining({
        check: "guard max_order",
        found: "500 bitcoin_testnet:btc (50000000 usd)",
      }),
      expect.objectContaining({
        check: "guard approve_above",
        found: "50 usd: 0.0005 bitcoin_testnet:btc",
      }),
      expect.objectContaining({ check: "guard windows", found: "no limit" }),
    ]),
  )
})

test("a price that one of its sources does not support is a warning with that source", async () => {
  const rest = { failed: ["a.example: HTTP 500"] }
  const price = { fiat: 100_000_000_000n, sources: 2 }
  const prices: PricePort = { fetchPrice: async () => ({ ...price, ...rest }) }
  const [found] = await checkReferencePrices(CONFIG, prices)
  expect(found).toMatchObject({ check: "price bitcoin_testnet:btc", status: "warn" })
  expect(found?.found).toMatch(/100000 usd from 2 sources\. .*a\.example: HTTP 500/)
})

test("a missing price and a broken peg are findings with the reason", async () => {
  const missing = new AppError({
    code: "prices.missing",
    disposition: "transient",
    message: "add prices.sources",
  })
  const prices: PricePort = {
    fetchPrice: () => Promise.reject(missing),
    checkPegs: async () => [{ code: "prices.peg_broken", message: "apart" }],
  }
  const found = await checkReferencePrices(CONFIG, prices)
  expect(found.filter(({ status }) => status !== "ok")).toMatchObject([
    {
      check: "price bitcoin_testnet:btc",
      status: "fail",
      found: "add prices.sources (prices.missing)",
    },
    { check: "pegs", status: "warn", found: "apart (prices.peg_broken)" },
  ])
})
