import { writeFileSync } from "node:fs"
import { join } from "node:path"

export const ENV = { WORDS: `bip39 0 ${"abandon ".repeat(11)}about` }
const RPC = 'rpc: ["http://127.0.0.1:1"]'
const STARKNET = "0x0049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004d1"
export const FAMILIES = [
  [
    "bitcoin",
    'preset: bitcoin, esplora: ["http://127.0.0.1:1"]',
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ],
  [
    "base",
    `preset: base, ${RPC}`,
    "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  ],
  [
    "solana",
    `preset: solana, ${RPC}`,
    "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk",
    "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
  ],
  ["starknet", `preset: starknet, ${RPC}`, STARKNET, `${STARKNET.slice(0, -1)}2`],
] as const

/** The further parts of a chain, as a hot wallet. */
const OWN: Readonly<Record<string, string>> = {
  bitcoin: ", address: p2tr",
  starknet: `, account: "${STARKNET}"`,
}

/** A hot wallet of each family, and the given watched ones. Returns the name of the file. */
export function writeWallets(folder: string, watched: ReadonlyMap<string, string>): string {
  const chains = FAMILIES.flatMap(([chain, keys]) => {
    const hot = `  ${chain}: { ${keys}, key: "env:WORDS"${OWN[chain] ?? ""} }`
    const address = watched.get(chain)
    if (address === undefined) return [hot]
    const account = chain === "starknet" ? `, account: "${address}"` : ""
    return [hot, `  vault_${chain}: { ${keys}, key: "watch:${address}"${account} }`]
  })
  const service = 'service: { url: "http://127.0.0.1:1" }'
  const lines = ["mode: observe", service, `data_dir: ${join(folder, "data")}`, "chains:"]
  const file = join(folder, "b.yaml")
  writeFileSync(file, `${[...lines, ...chains].join("\n")}\n`, { mode: 0o600 })
  return file
}
