import type { ChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"

/**
 * The record of every signature that the keys were asked for: append-only. A row names the account,
 * the nonce or inputs, the digest, the purpose, the order and the plan, before the key is used; the
 * signed bytes are added once. No answer of a node or of the service removes a row.
 *
 * The journal implements it today. A process that holds the keys can own it later, because nothing
 * else of the journal is needed to judge a claim (ADR 0020).
 */
export interface SigningRecord {
  /**
   * Registers a signature before the key is used, and reserves `reserve` in the same transaction.
   * The same claim again changes nothing.
   *
   * Another signature for an order's deposit (`deposit`, `gasless`) must share a nonce or input
   * with every earlier one, settled or not. For any other purpose it must share one with every live
   * one. Then the chain accepts only one of them.
   *
   * Throws `journal.signature_claimed` (hold) for a claim that does not, `journal.resource_taken`
   * (transient) when another order holds a resource, and `journal.stale_work` (aborted) when the
   * work of `cause` is gone.
   *
   * Also throws `journal.secret_revealed` (hold) for a refund after a reveal, unless the payout is
   * lost, and `journal.secret_unrevealed` (hold) for a redemption before it, unless the secret is
   * shown already. A refund with `ownSecretHash` withholds the secret in the same transaction.
   *
   * `companion`: a second claim, in the same transaction. Either both are registered or neither is.
   */
  claimSignature(claim: SignatureClaim, companion?: SignatureClaim): void
  /**
   * Adds the bytes to their claim, once. Throws `journal.signature_changed` (hold) for other bytes
   * than the stored ones.
   */
  storeSignature(orderId: string, signed: SignedRow): void
  /**
   * A final block holds the signature with this purpose, or excludes it; `commit` settles the
   * signatures of a step in the same way.
   */
  settleSignatures(orderId: string, purpose: string): void
  /**
   * The newest claim of this order and purpose that is neither stored nor settled: signed bytes may
   * exist that the record does not have.
   */
  findOpenClaim(orderId: string, purpose: string): SignatureRow | null
  /** Every signature of the order, oldest first. */
  listOf(orderId: string): readonly SignatureRow[]
  /**
   * Every signature of the account with a nonce or inputs that is not settled, oldest first.
   * `isUsedUp`: a settled signature has the same nonce or inputs.
   */
  listUnsettled(
    chain: ChainId,
    account: string,
  ): readonly (SignatureRow & { readonly isUsedUp: boolean })[]
  /** A claim names this digest on this chain. */
  isDigestKnown(chain: ChainId, digest: string): boolean
  /** The claims after this number, oldest first, at most `limit`, with their numbers. */
  listRecorded(
    afterSeq: number,
    limit: number,
  ): readonly (SignatureRow & { readonly seq: number })[]
  /**
   * Adds a claim that the journal has lost and a signer's record still has, as it was made: it
   * judges nothing and reserves nothing. The same claim again changes nothing. `settled`: it need
   * not exclude a later signature for its purpose.
   */
  restoreSignature(claim: SignatureClaim, settled: boolean): void
  /** One of our keys signed this transaction, for whatever order. */
  isOurs(chain: ChainId, txid: string): boolean
  /**
   * One of our keys was asked to sign with this nonce or input of the account, for whatever order;
   * with `bytes` only if the record has the signed bytes.
   */
  isResourceSigned(
    chain: ChainId,
    account: string,
    resource: string,
    found?: "claim" | "bytes",
  ): boolean
  /**
   * The orders and purposes for which bytes with this digest were signed on this chain, but for
   * `exceptOrder`.
   */
  listSigners(
    digest: string,
    chain: ChainId,
    exceptOrder: string,
  ): readonly { readonly orderId: string; readonly purpose: string }[]
}

/** What was decided about secrets of ours; a claim is judged by it too. */
export interface SecretDecisions {
  /**
   * Decides about our own secret of the order; the same decision again changes nothing. Throws
   * `journal.secret_decided` (hold) for a reveal after a withholding or a refund's claim, a
   * withholding after a reveal, and a loss without a reveal.
   */
  decideSecret(row: SecretDecisionRow): void
  /** The decisions about the order's secret, oldest first. */
  listSecretDecisions(orderId: string): readonly SecretDecision[]
}

export type SignatureClaim = {
  readonly orderId: string
  readonly purpose: string
  readonly chain: ChainId
  readonly account: string
  readonly attempt: number
  readonly digest: string
  /** The nonce or inputs, as the plan names them. */
  readonly resources: readonly string[]
  /** The plan that the key signs, bound to its nonce; `null` for typed data. */
  readonly plan: TransactionPlan | null
  /** The resources to reserve with the claim, by their full names. */
  readonly reserve?: readonly string[]
  /** The number of the work that signs; absent where there is none. */
  readonly cause?: number
  /** The hash of our own secret, for an order that has one. */
  readonly ownSecretHash?: string
  /**
   * The redemption tells no secret, whatever was decided before: a chain or the service shows it,
   * or there is none.
   */
  readonly tellsNoSecret?: true
  readonly atMs: number
}

/**
 * `reveal`: the secret may leave the process. `withhold`: it never does. `lost`: the payout of a
 * revealed secret is finally back at the solver.
 */
export type SecretDecision = "reveal" | "withhold" | "lost"

export type SecretDecisionRow = {
  readonly orderId: string
  readonly decision: SecretDecision
  readonly secretHash: string
  readonly atMs: number
}

export type SignedRow = {
  readonly purpose: string
  readonly attempt: number
  readonly digest: string
  /** `null` for typed data, which is no transaction; Solana shows our signature in the relay's. */
  readonly txid: string | null
  readonly raw: string
}

export type SignatureRow = Omit<SignatureClaim, "reserve" | "cause" | "ownSecretHash"> & {
  /** Also `null` for a row that was restored from the signer's record. */
  readonly plan: TransactionPlan | null
  readonly txid: string | null
  readonly raw: string | null
  readonly settled: boolean
}
