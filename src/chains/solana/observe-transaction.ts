import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Commitment, Finality, SolanaNode } from "./node.ts"

/**
 * What the chain says of one signed transaction, asked of every endpoint.
 *
 * - A status at `confirmed` or better is `mined`; `processed` may still be dropped with its fork and counts as `pending`.
 * - `excluded` is the proof that it can never land: the *finalized* block height has passed the last block in which its blockhash
 *   was valid, and the same endpoint, asked afterwards with its history, does not know it. Every configured endpoint must say so: while
 *   one is away the move stays `unseen`, and what it reserves stays reserved.
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

/** When something on chain counts as settled: both must hold. */
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

/** The fee, and what an initiation locks beside its amount: the rent of the swap account. We pay our transactions, so our account is the first. */
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
    message: "the node reports a transaction as confirmed but does not show it yet; it will be asked again",
    details: { txid },
  })
}
