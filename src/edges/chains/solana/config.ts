import { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import {
  chainKeys,
  confirmationCount,
  depositWays,
  keyReference,
  rpcUrls,
} from "#chains/chain-keys.ts"
import type { DepositWay } from "#domain/order.ts"
import type { Address } from "#nodes/address.ts"
import { choice, flag, integer } from "#schema/leaves.ts"
import { orNone, section, withDefault } from "#schema/section.ts"
import type { FinalitySettings } from "./finality.ts"
import { GENESIS_HASHES, solanaPresets } from "./presets.ts"

export type SolanaChainConfig = ChainConfig & {
  readonly rpc: readonly Address[]
  readonly confirmations: number | null
  readonly commitment: "confirmed" | "finalized"
  readonly finality: FinalitySettings["finality"]
  /** The cluster that a preset names; `null` without one. */
  readonly genesisHash: string | null
  readonly deposit: DepositWay
  /** Micro-lamports per compute unit. */
  readonly maxPriorityFee: bigint
  /** The price where no node has an estimate; in micro-lamports per compute unit. */
  readonly usualPriorityFee: bigint
  /** The daemon opens missing token accounts of the wallet. */
  readonly openTokenAccounts: boolean
}

const depth = z.union(
  [integer(1, 10_000, "a number of slots"), choice(["confirmed", "finalized"])],
  {
    error: "expected confirmed or finalized, or a number of slots from 1 to 10000",
  },
)

export const solanaKeys = {
  ...chainKeys("solana", "1m", solanaPresets),
  rpc: rpcUrls,
  key: keyReference("base58, or the 64 numbers of a keypair file"),
  confirmations: orNone(
    confirmationCount,
    "Slots, counted from a transaction's own, after which it is deep enough for everything; " +
      "it overrides finality. On the main network at least 32.",
  ),
  commitment: withDefault(
    choice(["confirmed", "finalized"]),
    "confirmed",
    "The commitment of reads for planning, of seen in finality, and of depths in slots.",
  ),
  finality: orNone(
    section({
      seen: orNone(depth, "Depth from which an order goes on; without it that of commitment."),
      reveal: orNone(depth, "Depth from which a secret may be told; without it finalized."),
      ending: orNone(
        depth,
        "Depth from which an order ends and balances count; without it finalized.",
      ),
    }),
    "How deep a transaction must be: confirmed, finalized, or a number of slots.",
  ),
  deposit: withDefault(
    depositWays,
    "onchain",
    "The way to deposit a token: gasless signs for a relay only, onchain sends only our own " +
      "transactions, auto prefers gasless. SOL goes onchain.",
  ),
  max_priority_fee: withDefault(
    integer(0, 1_000_000_000),
    1_000_000,
    "The highest priority fee, in micro-lamports per compute unit.",
  ),
  usual_priority_fee: withDefault(
    integer(0, 1_000_000_000),
    10_000,
    "The priority fee where no node has an estimate (an empty list), in micro-lamports per " +
      "compute unit; at most max_priority_fee.",
  ),
  open_token_accounts: withDefault(
    flag,
    true,
    "Open missing token accounts of the wallet for the configured tokens; each costs about " +
      "0.002 SOL.",
  ),
}

export function buildSolanaConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof solanaKeys>>,
): SolanaChainConfig {
  const { family, rpc, confirmations, commitment, finality, deposit } = file
  const genesisHash = GENESIS_HASHES[shared.preset ?? ""] ?? null
  const maxPriorityFee = BigInt(file.max_priority_fee)
  return {
    ...shared,
    family,
    rpc,
    genesisHash,
    confirmations,
    commitment,
    finality,
    deposit,
    maxPriorityFee,
    usualPriorityFee: BigInt(file.usual_priority_fee),
    openTokenAccounts: file.open_token_accounts,
  }
}
