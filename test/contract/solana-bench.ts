import { Keypair } from "@solana/web3.js"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { startSolanaChain } from "#sandbox/solana/solana-chain.ts"
import type { Bench, Wallet } from "./bench.ts"

/** The real Solana VM behind its JSON-RPC; the clock makes its slots. */
export const solanaBench: Bench = {
  family: "solana",
  variants: ["solana"],
  start: async () => {
    const local = await startSolanaChain({ name: "solana_testnet", port: 0, slotTimeMs: 40, log: silentLogger })
    return { local, openWallet: () => openWallet(local), stop: () => local.stop() }
  },
}

const SOL = parseAssetId("solana_testnet:sol")

async function openWallet(local: LocalChain): Promise<Wallet> {
  const key = new Secret(JSON.stringify([...Keypair.generate().secretKey]), "env:SOLANA_KEY")
  const chain = toChainId("solana_testnet")
  const portAt = (url: string, timeoutMs = 1_500) =>
    createSolanaChain({
      chain,
      rpc: [url],
      key,
      commitment: "confirmed",
      confirmations: 3,
      maxPriorityFeeMicroLamports: 1_000_000n,
      timeoutMs,
      assets: local.assets.map(({ htlc }) => ({ id: SOL, chain, decimals: 9, token: null, htlc: [htlc ?? ""] })),
      clock: systemClock,
    })
  const port = portAt(local.url)
  await local.fund(port.account, SOL, 5_000_000_000n)
  return {
    port,
    secret: key.reveal(),
    asset: SOL,
    native: SOL,
    units: 1_000_000_000n,
    // Rent exemption of the swap account: 6960 lamports a byte, for its 120 bytes and the 128 that every account counts.
    heldUnits: 1_726_080n,
    shortTimelock: 40,
    portAt,
    spellings: [],
    // A short address and one more digit may still be 32 bytes; five more never are.
    notAddresses: [port.account.slice(0, 20), `${port.account}22222`, `0${port.account.slice(1)}`],
  }
}
