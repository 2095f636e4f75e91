import type { AssetId, ChainId } from "./asset.ts"
import type { VerifiedDeposit } from "./deposit.ts"

/**
 * An on-chain move of ours: planned → signed → sent → confirmed. `attempt` counts fee bumps from 0; all attempts of one
 * purpose exclude each other on chain (same nonce, shared input), which is what makes a second signature legal.
 */
export type TransactionAction = "approve" | "initiate" | "refund" | "void"

/** What is to be done on chain. Only a verified deposit can become an initiate. */
export type TransactionRequest =
  | {
      readonly action: "approve"
      readonly asset: AssetId
      readonly spender: string
      /** The exact allowance to set. */
      readonly units: bigint
    }
  | { readonly action: "initiate"; readonly asset: AssetId; readonly deposit: VerifiedDeposit }
  | { readonly action: "refund"; readonly asset: AssetId; readonly deposit: VerifiedDeposit; readonly swapId: string }
  /** Spends the same nonce or input as `voids` for nothing, so that it can never land. */
  | { readonly action: "void"; readonly voids: TransactionPlan }

/**
 * An unsigned transaction, complete: signing it is deterministic (RFC 6979, BIP 340 with fixed auxiliary data), so the same plan
 * gives the same bytes. JSON-able.
 */
export type TransactionPlan = {
  readonly chain: ChainId
  readonly account: string
  readonly action: TransactionAction
  readonly attempt: number
  /** The family's own serialisation of the unsigned transaction. */
  readonly unsigned: string
  /** What gets signed, hex: journal's `claimSignature(order, purpose, digest)` is keyed by it. */
  readonly digest: string
  /** Exclusive resources that this move uses up: `nonce:7`, `txid:vout`. Reserved in the journal with the plan. */
  readonly resources: readonly string[]
  /** What leaves the account besides fees. */
  readonly spends: readonly { readonly asset: AssetId; readonly units: bigint }[]
  /** The most that the network may take, smallest unit of the native asset. */
  readonly maxFeeUnits: bigint
  /** Height at planning: where a later search for this move may start. */
  readonly fromHeight: bigint
  /** After this height the network refuses the bytes (Solana's last valid block height); `null` where bytes never expire. */
  readonly expiresAtHeight: bigint | null
}

/** `txid` is known before anything is sent. */
export type SignedTransaction = { readonly plan: TransactionPlan; readonly raw: string; readonly txid: string }

/**
 * What the chain says of a signed move.
 *
 * `unseen` neither in a block nor in the node's mempool: it may be sent again (same bytes) · `pending` in the mempool ·
 * `mined` in a block, `confirmations` counted from 1 · `excluded` another transaction used its nonce or input, so that it can never land
 * (final once that one is confirmed deeply enough).
 */
export type TransactionObservation =
  | { readonly status: "unseen" }
  | { readonly status: "pending" }
  | {
      readonly status: "mined"
      /** False: included but reverted; the fee is gone, nothing else moved. */
      readonly ok: boolean
      readonly height: bigint
      readonly confirmations: number
      /** Deep enough by the chain's configured `confirmations`. */
      readonly final: boolean
      /** Exactly what the network took, in the native coin. */
      readonly feeUnits: bigint
      /** Native units beyond amount and fee that come back when the HTLC closes (Solana's rent); absent where there are none. */
      readonly heldUnits?: bigint
    }
  | { readonly status: "excluded"; readonly by: string; readonly final: boolean }
