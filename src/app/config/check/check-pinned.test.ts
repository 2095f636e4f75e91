import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { configHash } from "../hash.ts"
import { parseConfig } from "../load.ts"

const ADDRESSES = [
  "0x2222222222222222222222222222222222222222",
  "0x3333333333333333333333333333333333333333",
]
const CODE = `0x${"ab".repeat(32)}`
const secrets = (reference: string): Secret => new Secret("x", reference)

function configWith(pinned: string, { htlc = ADDRESSES.slice(0, 1), bitcoin = "" } = {}) {
  const text = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:4401"],
      key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8${bitcoin} }
  base_sepolia:eth: { decimals: 18, htlc: ${JSON.stringify(htlc)}${pinned} }
`
  return parseConfig(text, { file: "b.yaml", secrets })
}

function problemsOf(...input: Parameters<typeof configWith>): readonly string[] {
  try {
    configWith(...input)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message.split("\n").slice(1)
  }
}

describe("the pins of an asset", () => {
  test("belong to its contracts in their order", () => {
    const two = configWith(
      `, pinned: [{ code: "${CODE}" }, { code: "${CODE}", implementation: "${CODE}" }]`,
      {
        htlc: ADDRESSES,
      },
    )
    expect(two.assets[1]?.pinned).toEqual([
      { htlc: ADDRESSES[0], identity: { code: CODE } },
      { htlc: ADDRESSES[1], identity: { code: CODE, implementation: CODE } },
    ])
  })

  test("are absent by default, and then the configuration has its former hash", () => {
    const none = configWith("")
    expect(none.assets[1]).not.toHaveProperty("pinned")
    expect(configHash(configWith(", pinned: []"))).toBe(configHash(none))
    expect(configHash(configWith(`, pinned: [{ code: "${CODE}" }]`))).not.toBe(configHash(none))
  })

  test.each([
    [", pinned: [{ class: '0x1' }]", "expected one of code, implementation"],
    [", pinned: [{ code: '0x12' }]", "expected 0x and 64 hex digits"],
    [", pinned: [{ code: none }]", "expected 0x and 64 hex digits"],
    [", pinned: [{}]", "expected at least one of code, implementation"],
    [
      `, pinned: [{ code: "${CODE}" }, { code: "${CODE}" }]`,
      "one entry for each of the 1 contracts of htlc, found 2",
    ],
    [`, pinned: { code: "${CODE}" }`, "a list of maps"],
    [", pinned: [7]", "expected a map of name to text"],
  ])("are refused in another form: %s", (pinned, expected) => {
    const problems = problemsOf(pinned)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
    expect(problems[0]).toContain("assets.base_sepolia:eth.pinned")
  })

  test("are refused where each order has an address of its own", () => {
    expect(problemsOf("", { bitcoin: `, pinned: [{ code: "${CODE}" }]` })[0]).toContain(
      "expected no pins here",
    )
  })
})
