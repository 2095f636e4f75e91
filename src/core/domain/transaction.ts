import type { AssetId, ChainId } from "./asset.ts"
import type { VerifiedDeposit } from "./deposit.ts"
import type { Payout } from "./payout.ts"
import type { Reason } from "./reason.ts"
import type { RedeemStake } from "./redeem-fee-cap.ts"

/**
 * An on-chain transaction of ours goes planned → signed → sent → confirmed. `attempt` counts fee
 * bumps from 0. All attempts of one purpose exclude each other on chain (same nonce, shared input);
 * only for that reason a second signature is safe.
 */
export type TransactionAction =
  | "approve"
  | "initiate"
  | "refund"
  | "redeem"
  | "void"
  | "openTokenAccount"

/**
 * The end of a signature that dies by itself: no block takes its `blockhash` after block height
 * `expiresAtHeight`. `fromHeight`: a slot before the signature, from which a search starts.
 */
export type SignatureLife = {
  readonly blockhash: string
  readonly fromHeight: bigint
  readonly expiresAtHeight: bigint
}

/** A transaction to plan. Only a verified deposit can become an `initiate`. */
export type TransactionRequest =
  | {
      readonly action: "approve"
      readonly asset: AssetId
      readonly spender: string
      /** The exact allowance to set. */
      readonly units: bigint
    }
  /**
   * `isPaired`: the exact approval of this deposit is not mined yet, and has the nonce before it.
   */
  | {
      readonly action: "initiate"
      readonly asset: AssetId
      readonly deposit: VerifiedDeposit
      readonly isPaired?: true
    }
  | {
      readonly action: "refund"
      readonly asset: AssetId
      readonly deposit: VerifiedDeposit
      readonly swapId: string
    }
  /**
   * Redeems the payout HTLC with its secret (32 bytes, hex without 0x). It pays the payout's
   * redeemer, whoever sends it; on Bitcoin our wallet. `stake`: the lock nearly ends; `pace`: it
   * does not yet. Either makes the fee rise with time (`redeemOffer`).
   */
  | {
      readonly action: "redeem"
      readonly asset: AssetId
      readonly payout: Payout
      readonly secret: string
      readonly stake?: RedeemStake
      readonly pace?: RedeemStake
    }
  /**
   * Spends the same nonce or input as `voids` without any effect, so that `voids` can never land.
   * `isUnsent`: no node has got `voids`, so its fee need not be outbid.
   */
  | {
      readonly action: "void"
      readonly voids: TransactionPlan
      readonly isUnsent?: boolean
    }

/**
 * A complete unsigned transaction. Signing is deterministic (RFC 6979, BIP 340 with fixed auxiliary
 * data), so the same plan gives the same bytes. JSON-able.
 */
export type TransactionPlan = {
  readonly chain: ChainId
  readonly account: string
  readonly action: TransactionAction
  readonly attempt: number
  /** The family's own serialisation of the unsigned transaction. */
  readonly unsigned: string
  /**
   * The digest that the key signs, hex. The journal's `claimSignature(order, purpose, digest)` uses
   * it as the key.
   */
  readonly digest: string
  /**
   * Exclusive resources that this transaction uses up: `nonce:7`, `txid:vout`. The journal reserves
   * them with the plan.
   */
  readonly resources: readonly string[]
  /** The units that leave the account besides fees. */
  readonly spends: readonly { readonly asset: AssetId; readonly units: bigint }[]
  /** The highest network fee, smallest unit of the native asset. */
  readonly maxFeeUnits: bigint
  /** The height at planning: a later search for this transaction may start here. */
  readonly fromHeight: bigint
  /**
   * After this height the network refuses the bytes (Solana's last valid block height); `null`
   * where bytes never expire.
   */
  readonly expiresAtHeight: bigint | null
}

/** `txid` is known before anything is sent. */
export type SignedTransaction = {
  readonly plan: TransactionPlan
  readonly raw: string
  readonly txid: string
}

/**
 * The chain's state of a signed transaction.
 *
 * `unseen`: neither in a block nor in the node's mempool; the same bytes may be sent again ·
 * `pending`: in the mempool · `mined`: in a block, `confirmations` counted from 1 · `excluded`:
 * another transaction (`by`) used its nonce or input, so it can never land. The chain's port has
 * fetched `by` and checked that it uses that nonce or input; absence alone never excludes. `by` is
 * `expired` on chains without nonces and inputs, where enough endpoints prove that the
 * transaction's time is over.
 *
 * `doubts`: contradictions between endpoints, and claims that the port checked and does not
 * believe: alerts for the operator.
 */
export type TransactionObservation = TransactionState & { readonly doubts?: readonly Reason[] }

type TransactionState =
  | { readonly status: "unseen" }
  | { readonly status: "pending" }
  | {
      readonly status: "mined"
      /** False: included but reverted; only the fee has left the wallet. */
      readonly ok: boolean
      readonly height: bigint
      readonly confirmations: number
      /** Deep enough to go on with the order (`finality.seen`). */
      readonly seen: boolean
      /** Deep enough to end an order by it (`finality.ending`), and enough endpoints agree. */
      readonly final: boolean
      /** The exact network fee, in the native coin. */
      readonly feeUnits: bigint
      /**
       * Native units beyond amount and fee that come back when the HTLC closes (Solana's rent);
       * absent where there are none.
       */
      readonly heldUnits?: bigint
      /** Too few endpoints show it, so it may be invented. */
      readonly isAlone?: true
    }
  /**
   * `final`: the rival is deep enough to end an order by it, and enough endpoints agree. `isVoid`:
   * its own bytes, which give its hash and our signature, do nothing.
   */
  | {
      readonly status: "excluded"
      readonly by: string
      readonly final: boolean
      readonly isVoid?: true
    }
