import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { parseAssetId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { openPrices } from "./compose.ts"

const BTC = parseAssetId("bitcoin_testnet:btc")

function fetchPrice(more: string) {
  const text = `service: { url: "http://127.0.0.1:1" }
chains: { bitcoin_testnet: { preset: bitcoin_testnet, esplora: ["http://127.0.0.1:1"],
    key: "env:K" } }
assets: { "bitcoin_testnet:btc": { decimals: 8 } }
${more}
`
  const config = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret("x", reference),
  })
  return openPrices(config, systemClock, new Map()).fetchPrice(BTC)
}

test(
  "a price of our own is demanded in mode live, and not where the service is trusted or " +
    "nothing is ordered",
  async () => {
    await expect(fetchPrice("")).rejects.toMatchObject({ code: "prices.missing" })
    await expect(fetchPrice("mode: live")).rejects.toMatchObject({ code: "prices.missing" })
    expect(await fetchPrice("prices: { trust_service: true }")).toBeNull()
    expect(await fetchPrice("mode: observe")).toBeNull()
  },
)

test("a feed on a chain that cannot read it gives no price, and names the chain", async () => {
  const address = `0x${"1".repeat(40)}`
  const feed = `kind: chainlink, chain: bitcoin_testnet, address: "${address}"`
  const source = `{ asset: "${BTC}", ${feed} }`
  const message = expect.stringContaining("bitcoin_testnet cannot read feeds of kind chainlink")
  await expect(fetchPrice(`prices: { sources: [${source}] }`)).rejects.toMatchObject({
    code: "prices.unavailable",
    message,
  })
})
