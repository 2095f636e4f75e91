import type { ChainId } from "./asset.ts"
import type { VerifiedDeposit } from "./deposit.ts"
import type { TransactionAction, TransactionPlan } from "./transaction.ts"

/** One use of a key, as the signer's own record has it. `seq` is its number there. */
export type KeyUse = {
  readonly seq: number
  readonly atMs: number
  readonly order: string
  readonly chain: ChainId
  readonly account: string
  readonly action: TransactionAction | "gasless"
  readonly digest: string
  readonly resources: readonly string[]
  /** Of a deposit; `null` for any other action. */
  readonly secretHash: string | null
}

/**
 * Uses, newest first. `first` is the digest of the record's first use, which names the record;
 * `null` while it is empty.
 */
export type KeyUsePage = { readonly first: string | null; readonly uses: readonly KeyUse[] }

/**
 * One use of a key, as the journal claimed it: everything from which a signer reads the effect.
 * `seq` is its number in the journal's record. `plan` is `null` for typed data.
 */
export type RecordedUse = {
  readonly seq: number
  readonly atMs: number
  readonly order: string
  readonly digest: string
  readonly plan: TransactionPlan | null
  readonly deposit: VerifiedDeposit | null
}

/** Up to which claim of the journal a signer's record was filled. */
export type ImportMark = { readonly seq: number; readonly digest: string }

/** The most other redemptions that a question for headroom names; more count as so many. */
export const MOST_OTHERS = 10_000

/**
 * A redemption that may have to be signed once a secret is told. `others`: redemptions of other
 * told secrets on the chain, which need the same limits. `feeUnits`: of one, in the native coin.
 */
export type RedeemHeadroom = {
  readonly order: string
  readonly chain: ChainId
  readonly secretHash: string
  readonly feeUnits: bigint
  readonly others: number
}
