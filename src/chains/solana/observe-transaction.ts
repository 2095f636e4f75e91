import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Commitment, Finality, SolanaNode } from "./node.ts"

/**
 * Reports the state of one signed transaction, after asking every endpoint. Heights are slots, fees lamports.
 *
 * - A status of `confirmed` or better is `mined`. A `processed` transaction may still disappear with its fork, so it is
 *   `pending`.
 * - `excluded` is the proof that the transaction can never land: the *finalized* block height is past the last block in
 *   which its blockhash was valid, and the same endpoint, asked afterwards with its history, does not know the
 *   transaction. Every configured endpoint must confirm this: while one does not answer, the transaction stays `unseen`
 *   and its resources stay reserved.
 *
 * Throws `solana.unreachable` (transient) if no endpoint answers, and `solana.transaction_missing` (transient).
 */
export async function observeTransaction(
  transaction: SignedTransaction,
  options: ObserveOptions,
): Promise<TransactionObservation> {
  const answers = await askAll(transaction.txid, options)
  const seen = answers.flatMap(({ status, slot }) => (status ? [{ ...status, tip: slot }] : []))
  const best = seen.toSorted((a, b) => rank(b.confirmationStatus) - rank(a.confirmationStatus))[0]
  if (best === undefined) {
    const expiresAt = transaction.plan.expiresAtHeight
    const complete = answers.length === options.urls.length
    const expired = complete && expiresAt !== null && answers.every((answer) => answer.finalizedBlockHeight > expiresAt)
    return expired ? { status: "excluded", by: "expired", final: true } : { status: "unseen" }
  }
  if (rank(best.confirmationStatus) < rank("confirmed")) return { status: "pending" }
  const confirmations = best.tip < best.slot ? 1 : Number(best.tip - best.slot) + 1
  const ok = best.err === null
  const final = isFinal(best.confirmationStatus, confirmations, options)
  return {
    status: "mined",
    ok,
    height: best.slot,
    confirmations,
    final,
    ...(await fetchCosts(transaction, ok, options.node)),
  }
}

export type ObserveOptions = FinalityRule & {
  readonly node: SolanaNode
  readonly urls: readonly string[]
}

/** A transaction is final if it has both the commitment and the number of confirmations (slots). */
export type FinalityRule = { readonly commitment: Commitment; readonly confirmations: number }

export function isFinal(status: string | null | undefined, confirmations: number, rule: FinalityRule): boolean {
  return rank(status) >= rank(rule.commitment) && confirmations >= rule.confirmations
}

function rank(status: string | null | undefined): number {
  return ["processed", "confirmed", "finalized"].indexOf(status ?? "processed")
}

async function askAll(txid: string, { urls, node }: ObserveOptions): Promise<Finality[]> {
  const settled = await Promise.allSettled(urls.map((url) => node.fetchFinality(url, txid)))
  const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
  if (answers.length > 0) return answers
  const failure = settled.find((one) => one.status === "rejected")
  throw toAppError(failure?.reason, { code: "solana.unreachable", disposition: "transient" })
}

/**
 * Reads the fee in lamports and, for an initiate, `heldUnits`: the rent of the swap account. Our account is the first,
 * because we pay the fee.
 */
async function fetchCosts(
  { txid, plan }: SignedTransaction,
  ok: boolean,
  node: SolanaNode,
): Promise<{ feeUnits: bigint; heldUnits?: bigint }> {
  const transaction = await node.fetchTransaction(txid)
  if (transaction === null) throw missing(txid)
  const { fee: feeUnits, preBalances, postBalances } = transaction.meta
  const [before, after] = [preBalances[0], postBalances[0]]
  if (!ok || plan.action !== "initiate" || before === undefined || after === undefined) return { feeUnits }
  return { feeUnits, heldUnits: plan.spends.reduce((left, { units }) => left - units, before - after - feeUnits) }
}

function missing(txid: string): AppError {
  return new AppError({
    code: "solana.transaction_missing",
    disposition: "transient",
    message: "the node reports a transaction as confirmed but does not return it yet; Ballast asks again",
    details: { txid },
  })
}
