import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import type { ChainHostLine } from "./chain-host.ts"
import { callChain } from "./remote-chain.ts"

/** Several coins, so that one deposit does not wait for the change of another. */
const BITCOIN_COINS = 12
const COINS = { btc: 10n ** 7n, wbtc: 10n ** 8n, usdc: 100_000n * 10n ** 6n } as const

/** Funds the sandbox wallet of this chain with plenty of every asset. */
export async function fundWallets({ family, assets, control }: ChainHostLine): Promise<void> {
  for (const { id, decimals } of assets) {
    const symbol = id.split(":")[1] ?? ""
    const units =
      Object.entries(COINS).find(([name]) => name === symbol)?.[1] ?? 100n * 10n ** BigInt(decimals)
    const times = family === "bitcoin" ? BITCOIN_COINS : 1
    for (let coin = 0; coin < times; coin++)
      await callChain(control, "fund", [SANDBOX_WALLETS[family], id, units])
  }
}
