import { rmSync } from "node:fs"
import { silentLogger } from "#lib/log.ts"
import { type LocalBitcoinChain, startBitcoinChain } from "#sandbox/bitcoin/bitcoin-chain.ts"
import { startSolanaChain } from "#sandbox/solana/solana-chain.ts"
import { startStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

/** A bitcoind on regtest with blocks on demand. Its folder is deleted when it stops. */
export async function openBitcoin(): Promise<LocalBitcoinChain> {
  const dir = temporaryFolder("bitcoin")
  const chain = await startBitcoinChain({
    name: "bitcoin_testnet",
    port: 0,
    dir,
    blockMs: 0,
    log: silentLogger,
  })
  const stop = async (): Promise<void> => {
    await chain.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { ...chain, stop }
}

export function openSolana(slotTimeMs = 40) {
  return startSolanaChain({ name: "solana_testnet", port: 0, slotTimeMs, log: silentLogger })
}

/** A devnet whose blocks the test makes, unless `more` says otherwise. */
export function openStarknet(more: Partial<Parameters<typeof startStarknetChain>[0]> = {}) {
  const shared = { name: "starknet_sepolia", port: 0, blockMs: 3_600_000, log: silentLogger }
  return startStarknetChain({ ...shared, ...more })
}
