import { expect, it } from "vitest"
import { familyOf } from "#chains/families.ts"
import type { ChainTrust } from "#chains/family-definition.ts"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"

function trustOf(name: string, keys: string): ChainTrust {
  const text = `service: { url: "http://127.0.0.1:4400" }
chains: { ${name}: { ${keys}, key: "env:BITCOIN_WIF" } }
assets: { "${name}:btc": { decimals: 8 } }
`
  const options = { file: "b.yaml", secrets: (reference: string) => new Secret("k", reference) }
  const [chain] = parseConfig(text, options).chains.values()
  const known = mustExist(chain, "the chain")
  return familyOf(known).describeTrust(known)
}

it("says what one server alone could do", () => {
  const trust = trustOf("bitcoin", 'esplora: ["http://one"]')
  expect(trust).toMatchObject({ endpoints: 1, agree: 1 })
  expect(trust.worst).toContain("it cannot invent a payout, a refund")
  const unproven = trustOf("bitcoin_testnet", 'esplora: ["http://one"]').worst
  expect(unproven).toContain(
    "one server can claim that a block contains our payout or refund although none does",
  )
  expect(trust.finality).toEqual({
    seen: "1 confirmation up to 0.01 BTC, 2 up to 0.1 BTC, else 3",
    reveal: "2 confirmations up to 0.01 BTC, 3 up to 0.1 BTC, else 6",
    ending: "2 confirmations up to 0.01 BTC, 3 up to 0.1 BTC, else 6",
  })
})

it("says that one of several can only delay, and what one that is down does", () => {
  const two = trustOf("bitcoin_testnet", 'esplora: ["http://one", "http://two"]')
  expect(two).toMatchObject({ endpoints: 2, agree: 2 })
  expect(two.worst).toContain(
    "cannot end an order or move money. If one server is down, new deposits and endings wait",
  )
  const three = trustOf("bitcoin_testnet", 'esplora: ["http://one", "http://two", "http://three"]')
  expect(three.worst).not.toContain("down")
  expect(three.finality).toEqual({
    seen: "1 confirmation",
    reveal: "2 confirmations",
    ending: "3 confirmations",
  })
  expect(
    trustOf("bitcoin_testnet", 'esplora: ["http://one", "http://two"], agree: 1').worst,
  ).toContain("can claim")
})

it("shows configured depths", () => {
  const keys = 'esplora: ["http://one"], finality: { ending: 12 }'
  expect(trustOf("bitcoin_testnet", keys).finality).toMatchObject({
    seen: "1 confirmation",
    ending: "12 confirmations",
  })
  expect(trustOf("bitcoin", 'esplora: ["http://one"], confirmations: 4').finality).toEqual({
    seen: "4 confirmations",
    reveal: "4 confirmations",
    ending: "4 confirmations",
  })
})
