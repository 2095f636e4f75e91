import { describe, expect, test } from "vitest"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import type { ChainName } from "#sandbox/start-sandbox.ts"
import type { ChainHostLine } from "../proof/chaos/chain-host.ts"
import { callChain } from "../proof/chaos/remote-chain.ts"
import { killChain, startChainHost } from "../proof/chaos/start-chain-host.ts"
import type { Host } from "../proof/chaos/start-host.ts"
import { readBalance } from "../support/read-balance.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const CHAINS = [
  ["bitcoin_testnet", "btc"],
  ["base_sepolia", "wbtc"],
  ["starknet_sepolia", "wbtc"],
] as const

describe("a chain that is saved and killed", () => {
  test.for(CHAINS)(
    "%s continues as the same chain after the next start",
    { timeout: 60_000 },
    async ([name, symbol]) => {
      const asset = `${name}:${symbol}`
      const dir = temporaryFolder("ballast-chain")
      const first = await start(name, dir)
      await fund(first, asset, 5_000n)
      await callChain(first.line.control, "save", [])
      const height = await heightOf(first)
      await killChain(first)
      const second = await start(name, dir)
      try {
        expect(second.line.assets).toEqual(first.line.assets)
        expect(await heightOf(second)).toBeGreaterThanOrEqual(height)
        expect(await readBalance(second.line, asset)).toBe(5_000n)
        await fund(second, asset, 600n)
        expect(await readBalance(second.line, asset)).toBe(5_600n)
      } finally {
        await killChain(second)
      }
    },
  )
})

function start(name: ChainName, dir: string): Promise<Host<ChainHostLine>> {
  return startChainHost({ name, dir, timelocks: { source: 100, destination: 10 } })
}

async function heightOf({ line }: Host<ChainHostLine>): Promise<bigint> {
  return BigInt(String(await callChain(line.control, "height", [])))
}

async function fund({ line }: Host<ChainHostLine>, asset: string, units: bigint): Promise<void> {
  await callChain(line.control, "fund", [SANDBOX_WALLETS[line.family], asset, units])
}
