import { z } from "zod"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { feeOf, UNIT_LIMIT } from "./assemble.ts"
import { broadcast } from "./broadcast.ts"
import { planTransaction } from "./build.ts"
import { decodeDeposit } from "./decode.ts"
import { SWAP_ACCOUNT_BYTES } from "./htlc.ts"
import { solanaContractReader } from "./identify-contract.ts"
import { type Commitment, createNode, type SolanaNode } from "./node.ts"
import { observeLeg } from "./observe-leg.ts"
import { observeTransaction } from "./observe-transaction.ts"
import { createRpc } from "./rpc.ts"
import { createSigner } from "./signer.ts"
import { solanaTraits } from "./traits.ts"
import { isSolanaAddress, type Wallet } from "./wallet.ts"

/**
 * A Solana chain with its hot wallet. Heights are slots, amounts lamports; deposits are native SOL, SPL tokens are read only.
 *
 * Throws `config.solana_key` (fatal). No IO.
 */
export function createSolanaChain(options: {
  chain: ChainId
  rpc: readonly string[]
  key: Secret
  /** The commitment from which a transaction is settled; `confirmations` counts slots, and must be reached too. */
  commitment: Commitment
  confirmations: number
  maxPriorityFeeMicroLamports: bigint
  timeoutMs: number
  assets: readonly Asset[]
  clock: Clock
}): ChainPort {
  const rpc = createRpc({ urls: options.rpc, timeoutMs: options.timeoutMs, clock: options.clock })
  const node = createNode(rpc, options.commitment)
  const signer = createSigner(options.key)
  const wallet: Wallet = {
    chain: options.chain,
    account: signer.account,
    assets: options.assets.filter((asset) => asset.chain === options.chain),
    maxPriorityFeeMicroLamports: options.maxPriorityFeeMicroLamports,
  }
  const observing = { node, urls: rpc.urls, commitment: options.commitment, confirmations: options.confirmations }
  return {
    chain: options.chain,
    family: "solana",
    traits: solanaTraits,
    account: signer.account,
    sourceExtras: {},
    isAddress: isSolanaAddress,
    sameAddress: (a, b) => isSolanaAddress(a) && a === b,
    fetchHeight: () => node.fetchSlot(),
    fetchBalance: async (asset) => fetchBalance(findAsset(wallet, asset), wallet, node),
    fetchNativeBalance: () => node.fetchBalance(wallet.account),
    estimateFees: async () => {
      const refundUnits = feeOf(UNIT_LIMIT, options.maxPriorityFeeMicroLamports)
      return { depositUnits: refundUnits + (await node.fetchRent(SWAP_ACCOUNT_BYTES)), refundUnits }
    },
    decodeDeposit: (request, _order, asset) => decodeDeposit(request, wallet, asset),
    fetchContractIdentity: (htlc) =>
      solanaContractReader.readIdentity(
        // CAST: the reader passes positional parameters.
        (method, params) => rpc.read(method, params as readonly unknown[], z.unknown()),
        htlc,
      ),
    findMissingApproval: async () => null,
    planTransaction: (intent, reserved) => planTransaction(intent, reserved, wallet, node),
    // A second signature is legal only when the first can no longer land. The engine plans anew after the blockhash has expired.
    planBump: async () => null,
    signTransaction: async (plan) => signer.signTransaction(plan, wallet),
    broadcastTransaction: (transaction) => broadcast(transaction, rpc, options.commitment),
    observeTransaction: (ours) => observeTransaction(ours, observing),
    signTypedData: async () => {
      throw new AppError({
        code: "signer.gasless_unsupported",
        disposition: "refused",
        message: "Solana orders have no gasless deposit; use the on-chain one",
        details: { chain: options.chain },
      })
    },
    observeLeg: (query) => observeLeg(query, wallet, observing),
  }
}

async function fetchBalance(
  asset: Asset,
  wallet: Wallet,
  node: SolanaNode,
): Promise<{ units: bigint; spendableUnits: bigint }> {
  if (asset.token !== null) {
    const accounts = await node.fetchTokenAccounts(wallet.account, asset.token)
    const units = accounts.reduce((sum, account) => sum + readTokenAmount(account.data), 0n)
    return { units, spendableUnits: units }
  }
  const units = await node.fetchBalance(wallet.account)
  const keepUnits = await node.fetchRent(0)
  return { units, spendableUnits: units > keepUnits ? units - keepUnits : 0n }
}

/** The SPL token account layout: mint 32, owner 32, amount u64. */
function readTokenAmount(data: Buffer): bigint {
  if (data.length >= 72) return data.readBigUInt64LE(64)
  throw new AppError({
    code: "solana.nonsense",
    disposition: "hold",
    message: "the node lists a token account whose data is too short; check the configured token address",
    details: { bytes: data.length },
  })
}

function findAsset(wallet: Wallet, id: AssetId): Asset {
  const asset = wallet.assets.find((candidate) => candidate.id === id)
  if (asset !== undefined) return asset
  throw new AppError({
    code: "solana.unknown_asset",
    disposition: "refused",
    message: `${id} is not configured on ${wallet.chain}; add it to the assets`,
    details: { asset: id, chain: wallet.chain },
  })
}
