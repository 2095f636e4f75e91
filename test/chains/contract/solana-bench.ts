import { randomBytes } from "node:crypto"
import { Keypair } from "@solana/web3.js"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { openSolana } from "../local-chains.ts"
import type { Bench, Variant, Wallet } from "./bench.ts"

/** The real Solana VM behind its JSON-RPC; the clock makes its slots. */
export const solanaBench: Bench = {
  family: "solana",
  variants: ["solana", "solana token"],
  start: async () => {
    const local = await openSolana()
    return { local, openWallet: (variant) => openWallet(local, variant), stop: () => local.stop() }
  },
}

const SOL = parseAssetId("solana_testnet:sol")
const USDC = parseAssetId("solana_testnet:usdc")

async function openWallet(local: LocalChain, variant: Variant): Promise<Wallet> {
  const key = new Secret(JSON.stringify([...Keypair.generate().secretKey]), "env:SOLANA_KEY")
  const chain = toChainId("solana_testnet")
  const portAt = (url: string, timeoutMs = 20_000) =>
    createSolanaChain({
      chain,
      rpc: [url],
      key,
      commitment: "confirmed",
      confirmations: 3,
      maxPriorityFeeMicroLamports: 1_000_000n,
      usualPriorityFeeMicroLamports: 0n,
      timeoutMs,
      assets: local.assets.map(({ id, decimals, token, htlc }) => {
        return { id: parseAssetId(id), chain, decimals, token, htlc: [htlc ?? ""] }
      }),
      clock: systemClock,
    })
  const port = portAt(local.url)
  await local.fund(port.account, SOL, 5_000_000_000n)
  const isToken = variant === "solana token"
  if (isToken) {
    await local.fund(port.account, USDC, 5_000_000n)
    await createVault(local)
  }
  return {
    port,
    secret: key.reveal(),
    asset: isToken ? USDC : SOL,
    native: SOL,
    units: isToken ? 1_000_000n : 1_000_000_000n,
    // Rent exemption of the swap account: 6960 lamports a byte, for its 120 or 153 bytes and the
    // 128 that every account counts.
    heldUnits: isToken ? 1_955_760n : 1_726_080n,
    shortTimelock: 40,
    portAt,
    openFrugal: null,
    spellings: [],
    // A short address and one more digit may still be 32 bytes; five more never are.
    notAddresses: [port.account.slice(0, 20), `${port.account}22222`, `0${port.account.slice(1)}`],
  }
}

/**
 * The first deposit of a token pays for its vault, so the solver makes one before the costs of a
 * wallet are compared.
 */
async function createVault(local: LocalChain): Promise<void> {
  const owner = Keypair.generate().publicKey.toBase58()
  const secretHash = randomBytes(32).toString("hex")
  const swap = await local.describeDestination({
    assetId: USDC,
    units: 1n,
    owner,
    secretHash,
    timelock: 18_000,
  })
  await local.initiate(swap)
}
