import type { TransactionAction } from "#domain/transaction.ts"

/**
 * `resource` is named as in a plan's `resources`. `txid`: the transaction that used it, where the
 * family tells. `mark` names the state that the answer is about; `null` while the account does not
 * exist.
 */
export type AccountUses = {
  readonly mark: string | null
  readonly used: readonly { readonly resource: string; readonly txid: string | null }[]
}

/**
 * A transaction of our key, read from the chain. `feeUnits`: the fee that the network took, in the
 * native coin, and on Solana the rent of an account that stays; `null` where it is above the
 * wallet's caps, so that it is no fee of Ballast.
 */
export type PastUse = {
  readonly txid: string
  readonly action: TransactionAction
  readonly feeUnits: bigint | null
}
