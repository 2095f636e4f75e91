import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseConfig } from "../../../src/app/config/load.ts"
import { AppError } from "../../../src/core/lib/app-error.ts"
import { Secret } from "../../../src/core/lib/secret.ts"

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
const secrets = (reference: string): Secret => new Secret(KEY, reference)

const ESPLORA = 'esplora: ["http://127.0.0.1:4401"]'
const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, ${ESPLORA}, key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111", htlc: [] }
`

function withRule(rule: string): string {
  return `${BASE}rules:\n  - ${rule}\n`
}

const recurring = (more: string): string =>
  withRule(`{ id: a, kind: recurring, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, ${more} }`)

describe("faulty input", () => {
  const onlyAppErrors = (text: string): void => {
    try {
      parseConfig(text, { file: "b.yaml", secrets })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "config.invalid") throw error
      expect(
        error.message
          .split("\n")
          .slice(1)
          .every((line) => /^b\.yaml:\d+:\d+: /.test(line)),
      ).toBe(true)
    }
  }

  test("throws only config.invalid for arbitrary text", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), onlyAppErrors), {
      numRuns: 300,
    })
  })

  test("throws only config.invalid for arbitrary values under real keys", () => {
    const leaf = fc.oneof(
      fc.constantFrom(
        "recurring",
        "band",
        "weights",
        "evm",
        "base_sepolia:wbtc",
        "1",
        "10%",
        "5 usd",
        "1h",
        "env:X",
        "__proto__",
      ),
      fc.jsonValue(),
    )
    const key = fc.constantFrom(
      "service",
      "url",
      "chains",
      "assets",
      "rules",
      "guards",
      "windows",
      "kind",
      "family",
      "from",
      "to",
      "amount",
      "weights",
      "min_native",
      "max",
      "min",
      "target",
      "schedule",
      "timezone",
      "__proto__",
      "constructor",
      "timelock",
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, tree), (value) => onlyAppErrors(JSON.stringify(value))),
      { numRuns: 300 },
    )
  })

  test("throws only config.invalid for a good file with one replaced character", () => {
    const good = recurring('schedule: "* * * * *", amount: "1"')
    const edit = fc.tuple(
      fc.nat(good.length - 1),
      fc.constantFrom(..."{}[]:,\"'#&*!|>%@`-? \t\n\0é0"),
    )
    fc.assert(
      fc.property(edit, ([at, character]) =>
        onlyAppErrors(good.slice(0, at) + character + good.slice(at + 1)),
      ),
      { numRuns: 300 },
    )
  })
})
