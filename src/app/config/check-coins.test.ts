import { expect, it } from "vitest"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

const STRK = "0x4718F5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"
const CHAINS = `
service: { url: "https://x", app_id: a }
chains:
  bitcoin: { esplora: ["https://x"], key: "env:K", address: p2tr }
  regtest: { family: bitcoin, network: regtest, esplora: ["https://x"], key: "env:K" }
  polygon: { rpc: ["https://x"], key: "env:K" }
  custom: { family: evm, chain_id: 77, rpc: ["https://x"], key: "env:K" }
  solana: { rpc: ["https://x"], key: "env:K" }
  starknet: { rpc: ["https://x"], key: "env:K", account: "0x2" }
`

const secrets = (reference: string): Secret => new Secret("00", reference)

function problemsOf(asset: string, keys: string): string {
  const text = `${CHAINS}assets: { "${asset}": { ${keys} } }\n`
  try {
    parseConfig(text, { file: "b.yaml", secrets })
    return ""
  } catch (error) {
    return String(error)
  }
}

it.each([
  [
    "bitcoin:btc",
    "decimals: 9",
    "expected 8, because bitcoin:btc is the chain's own coin, BTC, found 9",
  ],
  ["bitcoin:btc", "decimals: 0", "expected 8"],
  ["regtest:btc", "decimals: 7", "expected 8"],
  [
    "polygon:pol",
    "decimals: 8",
    "expected 18, because polygon:pol is the chain's own coin, POL, found 8",
  ],
  ["custom:x", "decimals: 17", "expected 18"],
  [
    "solana:sol",
    "decimals: 8",
    "expected 9, because solana:sol is the chain's own coin, SOL, found 8",
  ],
  ["solana:other", "decimals: 10", "expected 9"],
  [
    "starknet:strk",
    "decimals: 8",
    "expected 18, because starknet:strk is the chain's own coin, STRK, found 8",
  ],
  ["starknet:strk", `decimals: 8, token: "${STRK}"`, "expected 18"],
])("refuses %s with { %s }", (asset, keys, problem) => {
  expect(problemsOf(asset, keys)).toContain(`assets.${asset}.decimals: ${problem}`)
})

it.each([
  ["bitcoin:btc", "decimals: 8"],
  ["polygon:pol", "decimals: 18"],
  ["polygon:usdc", 'decimals: 6, token: "0x1111111111111111111111111111111111111111"'],
  ["solana:sol", "decimals: 9"],
  ["starknet:strk", `decimals: 18, token: "${STRK}"`],
  ["starknet:wbtc", 'decimals: 8, token: "0x12"'],
])("accepts %s with { %s }", (asset, keys) => {
  expect(problemsOf(asset, keys)).toBe("")
})
