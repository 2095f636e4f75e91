import { expect, test } from "vitest"
import { FAMILIES } from "#chains/families.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { isMainNetwork } from "./is-main-network.ts"

const KEYS: Readonly<Record<string, string>> = {
  bitcoin: 'esplora: ["http://127.0.0.1:1"]',
  starknet: 'rpc: ["http://127.0.0.1:1"], account: "0x1234"',
}
function isMain(name: string, family: string, keys: string): boolean | undefined {
  const rest = KEYS[family] ?? 'rpc: ["http://127.0.0.1:1"]'
  const text =
    `service: { url: "http://127.0.0.1:1" }\nchains: { ${name}: { ${keys}, ${rest}, key: ` +
    `"env:K" } }\n`
  const { chains } = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret("x", reference),
  })
  const [chain] = chains
  return chain && isMainNetwork(chain)
}

test.each(
  FAMILIES.flatMap(({ name: family, presets }) =>
    presets.map(({ name, network }) => ({ family, name, network })),
  ),
)("the preset $name is a $network network, under any name", ({ family, name, network }) => {
  expect(isMain(name, family, `preset: ${name}`)).toBe(network === "main")
  expect(isMain("another", family, `preset: ${name}`)).toBe(network === "main")
})

test.each([
  ["base_sepolia", "evm", "family: evm, chain_id: 8453", true],
  ["mine", "evm", "family: evm, chain_id: 84532", false],
  ["mine", "evm", "family: evm, chain_id: 987654", true],
  ["mine", "bitcoin", "family: bitcoin, network: mainnet", true],
  ["mine", "bitcoin", "family: bitcoin, network: signet", false],
  ["mine", "starknet", "family: starknet, chain_id: SN_MAIN", true],
  ["mine", "starknet", "family: starknet, chain_id: SN_SEPOLIA", false],
  ["solana", "solana", "family: solana", true],
  ["solana_testnet", "solana", "family: solana", false],
  ["mine", "solana", "family: solana", true],
] as const)("a chain %s of family %s with %s: %s", (name, family, keys, expected) => {
  expect(isMain(name, family, keys)).toBe(expected)
})
