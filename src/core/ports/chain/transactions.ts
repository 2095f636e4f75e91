import type { AssetId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { MayLeave } from "#domain/may-leave.ts"
import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import type {
  SignatureLife,
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
  TransactionRequest,
} from "#domain/transaction.ts"
import type { SigningContext, TypedSignature } from "../key-holder.ts"

/**
 * Transactions of the wallet, from the plan to the block. Only `broadcastTransaction` changes the
 * world; its unknown failures are `uncertain`.
 */
export interface Transactions {
  /**
   * Builds the unsigned transaction. `reserved` are resources (nonces, outpoints) that other
   * transactions in the journal hold. Refusals (`funds.insufficient`, `fees.above_cap`) are values
   * with numbers. With `isBoundLater` the plan may have any nonce, and none is read for it:
   * `NonceSequence` or `PairPlanner` reads it immediately before the signature.
   */
  planTransaction(
    intent: TransactionRequest,
    reserved: ReadonlySet<string>,
    options?: PlanOptions,
  ): Promise<TransactionPlan | { readonly refused: readonly Reason[] }>
  /**
   * The same transaction with a higher fee, sharing nonce or inputs; `null` when no bump is
   * possible or allowed (cap reached). `stake` and `pace`: of a redemption, as in its request.
   */
  planBump(
    plan: TransactionPlan,
    stake?: RedeemStake | null,
    pace?: RedeemStake | null,
  ): Promise<TransactionPlan | null>
  /**
   * Sends the stored bytes to every endpoint. "Already known" is success. Throws `refused` only
   * when the node reports that the bytes can never become valid.
   */
  broadcastTransaction(transaction: SignedTransaction, mayLeave?: MayLeave): Promise<void>
  /** `stakeFiat`: the value at stake, for chains whose finality depends on it; see `LegQuery`. */
  observeTransaction(
    ours: SignedTransaction,
    stakeFiat?: bigint | null,
  ): Promise<TransactionObservation>
  /**
   * A cautious upper estimate, in native units, of redeeming a payout of this asset ourselves.
   * `null`: this family or key cannot redeem.
   */
  estimateRedeemFee(asset: AssetId): Promise<bigint | null>
  /**
   * Pure: the most, in native units, that a redemption of this asset may pay now (`redeemFeeCap`).
   * `null` where none can be.
   */
  capRedeemFee(asset: AssetId, stake: RedeemStake | null): bigint | null
}

/** The only calls that touch the key. */
export interface KeyUser {
  /**
   * Deterministic. Throws `signer.*` (refused) when the plan does more than its action allows.
   * `context` names the order, for a signer process that keeps its own record.
   */
  signTransaction(plan: TransactionPlan, context?: SigningContext): Promise<SignedTransaction>
  /**
   * Gasless: the signature over the verified deposit's typed data, or on Solana the relay's
   * transaction with our signature, in wire form. Throws `signer.gasless_unsupported`.
   */
  signTypedData(deposit: VerifiedDeposit, context?: SigningContext): Promise<GaslessSignature>
}

/**
 * `life`: when the signature dies by itself; absent where it lasts for ever. `mark`: the name under
 * which `fetchUses` finds its use; absent where the chain shows none.
 */
export type GaslessSignature = TypedSignature & {
  readonly life?: SignatureLife
  readonly mark?: string
}

/** `isBoundLater`: `NonceSequence` or `PairPlanner` gives the plan its nonce. */
export type PlanOptions = { readonly isBoundLater?: boolean }
