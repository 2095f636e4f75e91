import fc from "fast-check"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { discover } from "./discover-listing.ts"

test("the printed text is YAML for all texts of a service", async () => {
  const plain = fc.string({ unit: "binary", maxLength: 40 })
  const contract = fc.option(fc.record({ address: plain, schema: fc.option(plain) }))
  const asset = fc.record({
    id: fc.oneof(
      plain,
      fc.constant("base:usdc"),
      fc.constant("bitcoin:btc"),
      fc.constant("solana:sol"),
    ),
    name: fc.option(plain),
    decimals: fc.oneof(fc.integer(), fc.constant(8)),
    htlc: contract,
    token: contract,
  })
  const chain = fc.record({
    chain: fc.oneof(plain, fc.constant("base"), fc.constant("bitcoin")),
    id: fc.option(plain),
    name: fc.option(plain),
    assets: fc.array(asset, { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(chain, { maxLength: 3 }),
      fc.array(asset, { maxLength: 3 }),
      async (chains, assets) => {
        const { text } = await discover(chains, assets)
        const configuration = parse(text) ?? {}
        for (const [id, printed] of Object.entries(configuration.assets ?? {})) {
          expect(id).toMatch(/^bitcoin:/)
          expect(printed).toEqual({ decimals: expect.any(Number) })
        }
      },
    ),
  )
})
