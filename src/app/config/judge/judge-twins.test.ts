import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { readYamlSource } from "../yaml-source.ts"
import { judgeConfig } from "./judge-config.ts"

const WBTC = "0x82545863D4aD1C418A7Df2803654a55ee48ddeCa"
const STRK = "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"
const USDC = "0x3600000000000000000000000000000000000000"
const MINT = "3NFxktQUvVCBMDfxDQ1iu4CetQpZhKPNf99PUPTcCV1z"
const OTHER = MINT.replace("N", "n")
const NODE = 'rpc: ["https://x"]'
const ARC = `family: evm, chain_id: 5042, ${NODE}, key: "env:K"`
const TEMPO = `family: evm, chain_id: 4217, ${NODE}, key: "env:K"`
const BASE = `${NODE}, key: "env:K"`
const ESPLORA = 'esplora: ["https://x"], key: "env:K"'
const COIN = "{ decimals: 18 }"
const token = (address: string, decimals = 8): string =>
  `{ decimals: ${decimals}, token: "${address}" }`

const read = (reference: string): Secret =>
  new Secret(reference === "env:K2" ? "env:K" : reference, reference)

/** The refused findings, as `path: message`. `env:K2` has the value of `env:K`. */
function refused(chains: string, assets: string, secrets = read): readonly string[] {
  const head = `service: { url: "https://s" }\nmode: observe\n`
  const text = `${head}chains: ${chains}\nassets: ${assets}\n`
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
    `{ "base:wbtc": ${token(WBTC)}, "base:btc": ${token(WBTC.toLowerCase())} }`,
    ["assets.base:btc: base:btc and base:wbtc are one token, so its balance counts twice"],
  ],
  [
    "a coin without a token",
    `{ base: { ${BASE} } }`,
    `{ "base:eth": ${COIN}, "base:ether": ${COIN} }`,
    ["assets.base:ether: base:ether and base:eth are one coin, so its balance counts twice"],
  ],
  [
    "a coin that is a token too (STRK)",
    `{ starknet: { ${BASE}, account: "0x2" } }`,
    `{ "starknet:gas": ${COIN}, "starknet:strk": ${token(`0x${STRK.slice(3)}`, 18)} }`,
    ["assets.starknet:strk: starknet:strk and starknet:gas are one coin"],
  ],
  [
    "a coin with an ERC-20 face of other decimals (Arc)",
    `{ arc: { ${ARC} } }`,
    `{ "arc:gas": ${COIN}, "arc:usdc": ${token(USDC, 6)} }`,
    ["assets.arc:usdc: arc:usdc and arc:gas are one coin"],
  ],
  [
    "the coin of a chain that has none (Tempo)",
    `{ tempo: { ${TEMPO} } }`,
    `{ "tempo:usd": ${COIN} }`,
    ["assets.tempo:usd: tempo has no coin of its own"],
  ],
  [
    "one wallet under two chain names, also with its key by two references",
    `{ base: { ${BASE} }, second: { preset: base, ${NODE}, key: "env:K2" } }`,
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
    `{ "base:wbtc": ${token(WBTC)}, "optimism:wbtc": ${token(WBTC)} }`,
  ],
  [
    "a coin and its wrapped token",
    `{ base: { ${BASE} } }`,
    `{ "base:eth": ${COIN}, "base:weth": ${token(USDC.replace("36", "42"), 18)} }`,
  ],
  [
    "the token face alone, and two addresses of base58 that differ in case",
    `{ arc: { ${ARC} }, solana: { ${BASE} } }`,
    `{ "arc:usdc": ${token(USDC, 6)}, "solana:a": ${token(MINT)}, "solana:b": ${token(OTHER)} }`,
  ],
  [
    "two keys on one chain, and two kinds of address of one key",
    `{ base: { ${BASE} }, second: { preset: base, ${NODE}, key: "env:OTHER" },
       bitcoin: { ${ESPLORA}, address: p2tr },
       old: { preset: bitcoin, ${ESPLORA}, address: p2wpkh } }`,
    "{}",
  ],
  [
    "two unknown Solana chains at two nodes",
    `{ a: { family: solana, ${BASE} }, b: { family: solana, rpc: ["https://y"], key: "env:K" } }`,
    "{}",
  ],
])("two things are not refused: %s", (_name, chains, assets) => {
  expect(refused(chains, assets)).toEqual([])
})

test("keys that a process has not read are not the same", () => {
  const chains = `{ base: { ${BASE} }, other: { preset: base, ${NODE}, key: "env:K3" } }`
  const unread = (reference: string): Secret => new Secret("", reference)
  expect(refused(chains, "{}", unread)).toEqual([])
})
