import type { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import { chainKeys, confirmationCount, keyReference, rpcUrls } from "#chains/chain-keys.ts"
import { choice, flag, integer } from "#schema/leaves.ts"
import { orNone, withDefault } from "#schema/section.ts"
import { GENESIS_HASHES, solanaPresets } from "./presets.ts"

export type SolanaChainConfig = ChainConfig & {
  readonly rpc: readonly string[]
  readonly confirmations: number | null
  readonly commitment: "confirmed" | "finalized"
  /** The cluster that a preset names; `null` without one. */
  readonly genesisHash: string | null
  /** Micro-lamports per compute unit. */
  readonly maxPriorityFee: bigint
  /** The daemon opens missing token accounts of the wallet. */
  readonly openTokenAccounts: boolean
}

export const solanaKeys = {
  ...chainKeys("solana", "1m", solanaPresets),
  rpc: rpcUrls,
  key: keyReference("base58, or the 64 numbers of a keypair file"),
  confirmations: orNone(
    confirmationCount,
    "Confirmations after which a transaction counts as final, instead of commitment.",
  ),
  commitment: withDefault(
    choice(["confirmed", "finalized"]),
    "confirmed",
    "The commitment at which Ballast trusts a read.",
  ),
  max_priority_fee: withDefault(
    integer(0, 1_000_000_000),
    1_000_000,
    "The highest priority fee, in micro-lamports per compute unit.",
  ),
  open_token_accounts: withDefault(
    flag,
    true,
    "Open missing token accounts of the wallet for the configured tokens; each costs about 0.002 SOL.",
  ),
}

export function buildSolanaConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof solanaKeys>>,
): SolanaChainConfig {
  const { family, rpc, confirmations, commitment } = file
  const genesisHash = GENESIS_HASHES[shared.preset ?? ""] ?? null
  const maxPriorityFee = BigInt(file.max_priority_fee)
  const openTokenAccounts = file.open_token_accounts
  return { ...shared, family, rpc, genesisHash, confirmations, commitment, maxPriorityFee, openTokenAccounts }
}
