import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { readYamlSource } from "../yaml-source.ts"
import { judgeConfig } from "./judge-config.ts"

const WBTC = "0x82545863D4aD1C418A7Df2803654a55ee48ddeCa"
const STRK = "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"
const ARC = 'family: evm, chain_id: 5042, rpc: ["https://x"], key: "env:K"'
const BASE = 'rpc: ["https://x"], key: "env:K"'

/** The refused findings, as `path: message`. `env:K2` has the value of `env:K`. */
function refused(chains: string, assets: string): readonly string[] {
  const text = `service: { url: "https://s" }\nchains: ${chains}\nassets: ${assets}\nmode: observe\n`
  const secrets = (reference: string): Secret =>
    new Secret(reference === "env:K2" ? "env:K" : reference, reference)
  const config = parseConfig(text, { file: "b.yaml", secrets })
  return judgeConfig(config, readYamlSource(text, "b.yaml").value).flatMap(
    ({ severity, path, message }) =>
      severity === "refuse" ? [`${path.join(".")}: ${message}`] : [],
  )
}

test.each([
  [
    "a token whose addresses differ in case only",
    `{ base: { ${BASE} } }`,
    `{ "base:wbtc": { decimals: 8, token: "${WBTC}" }, "base:btc": { decimals: 8, token: "${WBTC.toLowerCase()}" } }`,
    ["assets.base:btc: base:btc and base:wbtc are one token, so its balance counts twice"],
  ],
  [
    "a coin without a token",
    `{ base: { ${BASE} } }`,
    '{ "base:eth": { decimals: 18 }, "base:ether": { decimals: 18 } }',
    ["assets.base:ether: base:ether and base:eth are one coin, so its balance counts twice"],
  ],
  [
    "a coin that is a token too (STRK)",
    '{ starknet: { rpc: ["https://x"], key: "env:K", account: "0x2" } }',
    `{ "starknet:gas": { decimals: 18 }, "starknet:strk": { decimals: 18, token: "0x${STRK.slice(3)}" } }`,
    ["assets.starknet:strk: starknet:strk and starknet:gas are one coin"],
  ],
  [
    "a coin with an ERC-20 face of other decimals (Arc)",
    `{ arc: { ${ARC} } }`,
    '{ "arc:gas": { decimals: 18 }, "arc:usdc": { decimals: 6, token: "0x3600000000000000000000000000000000000000" } }',
    ["assets.arc:usdc: arc:usdc and arc:gas are one coin"],
  ],
  [
    "the coin of a chain that has none (Tempo)",
    '{ tempo: { family: evm, chain_id: 4217, rpc: ["https://x"], key: "env:K" } }',
    '{ "tempo:usd": { decimals: 18 } }',
    ["assets.tempo:usd: tempo has no coin of its own"],
  ],
  [
    "one wallet under two chain names, also with its key by two references",
    `{ base: { ${BASE} }, second: { family: evm, chain_id: 8453, rpc: ["https://y"], key: "env:K2" } }`,
    "{}",
    ["chains.second: second and base are one chain with one key"],
  ],
])("one thing under two names is refused: %s", (_name, chains, assets, expected) => {
  expect(refused(chains, assets)).toEqual(expected.map((text) => expect.stringContaining(text)))
})

test.each([
  [
    "one address on two chains",
    `{ base: { ${BASE} }, optimism: { ${BASE} } }`,
    `{ "base:wbtc": { decimals: 8, token: "${WBTC}" }, "optimism:wbtc": { decimals: 8, token: "${WBTC}" } }`,
  ],
  [
    "a coin and its wrapped token",
    `{ base: { ${BASE} } }`,
    '{ "base:eth": { decimals: 18 }, "base:weth": { decimals: 18, token: "0x4200000000000000000000000000000000000006" } }',
  ],
  [
    "the token face alone, and two addresses of base58 that differ in case",
    `{ arc: { ${ARC} }, solana: { rpc: ["https://x"], key: "env:K" } }`,
    '{ "arc:usdc": { decimals: 6, token: "0x3600000000000000000000000000000000000000" }, "solana:a": { decimals: 6, token: "3NFxktQUvVCBMDfxDQ1iu4CetQpZhKPNf99PUPTcCV1z" }, "solana:b": { decimals: 6, token: "3nFxktQUvVCBMDfxDQ1iu4CetQpZhKPNf99PUPTcCV1z" } }',
  ],
  [
    "two keys on one chain, and two kinds of address of one key",
    `{ base: { ${BASE} }, second: { family: evm, chain_id: 8453, rpc: ["https://y"], key: "env:OTHER" }, bitcoin: { esplora: ["https://x"], key: "env:K", address: p2tr }, old: { preset: bitcoin, esplora: ["https://x"], key: "env:K", address: p2wpkh } }`,
    "{}",
  ],
  [
    "two unknown Solana chains at two nodes",
    '{ a: { family: solana, rpc: ["https://x"], key: "env:K" }, b: { family: solana, rpc: ["https://y"], key: "env:K" } }',
    "{}",
  ],
])("two things are not refused: %s", (_name, chains, assets) => {
  expect(refused(chains, assets)).toEqual([])
})
