import { expect, test } from "vitest"
import { allRoutes, type SandboxSummary } from "./demo-config.ts"

const BURNING = ["base_sepolia", "ethereum_sepolia", "solana_testnet"]
const PLACE = { domain: 0, messenger: "0x", transmitter: "0x" }

function chain(name: string, ...symbols: string[]): SandboxSummary["chains"][number] {
  const asset = { decimals: 6, token: null, htlc: null }
  const assets = symbols.map((symbol) => ({ id: `${name}:${symbol}`, ...asset }))
  return { name, family: "evm", url: "", chainId: null, assets }
}

test("all routes have USDC that burns and USDC that a service swaps", () => {
  const sandbox: SandboxSummary = {
    service: "",
    chains: [
      chain("bitcoin_testnet", "btc"),
      ...BURNING.map((name) => chain(name, "wbtc", "usdc")),
    ],
    cctp: { attester: "", contracts: BURNING.map((name) => ({ chain: name, ...PLACE })) },
    missing: [],
  }
  const burnt = BURNING.map((name) => `${name}:usdc`)
  const sold = allRoutes(sandbox).filter(({ from }) => burnt.includes(from))
  const isBurn = ({ to }: { to: string }): boolean => burnt.includes(to)
  expect(sold.filter(isBurn).length).toBeGreaterThanOrEqual(4)
  expect(sold.filter((route) => !isBurn(route))).toEqual([
    { from: "base_sepolia:usdc", to: "bitcoin_testnet:btc" },
  ])
})
