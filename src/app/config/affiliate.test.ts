import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

const ESPLORA = 'esplora: ["http://127.0.0.1:4401"]'
const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, ${ESPLORA}, key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111", htlc: [] }
`

const parse = (text: string) =>
  parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret("k", reference) })

function problemsOf(text: string): string {
  try {
    parse(text)
    return ""
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const EVM = `0x${"22".repeat(20)}`
const SOLANA = "So11111111111111111111111111111111111111112"
const entry = (asset: string, address: string, bps = 10): string =>
  `{ asset: "${asset}", address: "${address}", fee_bps: ${bps} }`
const withEntries = (...entries: string[]): string => `${BASE}affiliate: [${entries.join(", ")}]`

test(
  "affiliate payouts may go to any chain that has USDC or cbBTC, with or without a wallet of " +
    "ours there",
  () => {
    const text = withEntries(
      entry("base_sepolia:usdc", EVM),
      entry("solana_testnet:cbbtc", SOLANA, 20),
    )
    expect(parse(text).affiliate).toEqual([
      { asset: "base_sepolia:usdc", address: EVM, feeBps: 10 },
      { asset: "solana_testnet:cbbtc", address: SOLANA, feeBps: 20 },
    ])
  },
)

test.each([
  [
    "fees above 100%",
    "affiliate: expected fees of together at most 10000 basis points, found 12000",
    [entry("base_sepolia:usdc", EVM, 6_000), entry("solana_testnet:usdc", SOLANA, 6_000)],
  ],
  [
    "neither USDC nor cbBTC",
    "affiliate[0].asset: expected usdc or cbbtc on a chain that has them, found",
    [entry("base_sepolia:wbtc", EVM)],
  ],
  [
    "a payout on Bitcoin",
    "affiliate[0].asset: expected usdc or cbbtc on a chain that has them, found",
    [entry("bitcoin_testnet:usdc", "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq")],
  ],
  [
    "a chain of an unknown family",
    "affiliate[0].asset: expected a chain of chains before the colon, found elsewhere",
    [entry("elsewhere:usdc", EVM)],
  ],
  [
    "an address of another family",
    "affiliate[1].address: expected a Solana address, found",
    [entry("base_sepolia:usdc", EVM), entry("solana_testnet:usdc", EVM)],
  ],
])("affiliate entries with %s are refused with the line", (_name, problem, entries) => {
  const found = problemsOf(withEntries(...entries))
  expect(found).toContain(problem)
  expect(found).toMatch(/b\.yaml:8:\d+: affiliate/)
})

test("a misspelt family of a payout's chain is the only problem found", () => {
  const text = withEntries(entry("base_sepolia:usdc", EVM)).replace("family: evm", "family: evn")
  expect(problemsOf(text)).toContain(
    "chains.base_sepolia.family: expected bitcoin or evm or solana or starknet",
  )
  expect(problemsOf(text)).not.toContain("affiliate[0]")
})
