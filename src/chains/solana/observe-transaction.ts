import type { AssetId } from "#domain/asset.ts"
import type { SignedTransaction, TransactionObservation, TransactionPlan } from "#domain/transaction.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Commitment, Finality, SolanaNode } from "./node.ts"
import { lamportsInto } from "./read-swap-calls.ts"
import { readTransaction } from "./read-transaction.ts"
import { INITIATE_AT, SETTLE_AT } from "./spl-htlc.ts"
import type { Wallet } from "./wallet.ts"

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
    ...(await fetchCosts(transaction, ok, options)),
  }
}

export type ObserveOptions = FinalityRule & {
  readonly node: SolanaNode
  readonly wallet: Wallet
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
 * Reads the cost of a transaction of ours in lamports. `heldUnits` of an initiate is the rent of the swap account, which returns.
 * `feeUnits` is the network fee and, for a token, the rent of accounts that the transaction created and that stay: the vault, the
 * program's identity, our own token account. Our account is the first, because we pay the fee.
 */
async function fetchCosts(
  { txid, plan }: SignedTransaction,
  ok: boolean,
  { node, wallet }: ObserveOptions,
): Promise<{ feeUnits: bigint; heldUnits?: bigint }> {
  const transaction = await node.fetchTransaction(txid)
  if (transaction === null) throw missing(txid)
  const { fee, preBalances, postBalances } = transaction.meta
  if (!ok) return { feeUnits: fee }
  const kept = listKeptAccounts(plan, wallet).reduce((sum, account) => sum + lamportsInto(transaction, account), 0n)
  const feeUnits = fee + kept
  const [before, after] = [preBalances[0], postBalances[0]]
  if (plan.action !== "initiate" || before === undefined || after === undefined) return { feeUnits }
  const isNative = (id: AssetId): boolean => wallet.assets.find((asset) => asset.id === id)?.token == null
  const spentUnits = plan.spends.reduce((sum, { asset, units }) => sum + (isNative(asset) ? units : 0n), 0n)
  return { feeUnits, heldUnits: before - after - feeUnits - spentUnits }
}

/** The accounts of a token's call that stay open afterwards: identity, vault and our token account. */
function listKeptAccounts(plan: TransactionPlan, wallet: Wallet): string[] {
  const call = readTransaction.fromMessage(Buffer.from(plan.unsigned, "base64"))?.instructions.at(-1)
  const program = call?.program.address ?? ""
  // The second account of `CreateIdempotent` is the one that it opens.
  if (plan.action === "openTokenAccount") return [call?.accounts[1]?.address ?? []].flat()
  const isToken = wallet.assets.some(({ token, htlc }) => token !== null && htlc.includes(program))
  if (call === undefined || !isToken) return []
  const tokenAccountAt = plan.action === "initiate" ? INITIATE_AT.tokenAccount : SETTLE_AT.tokenAccount
  return [0, INITIATE_AT.vault, tokenAccountAt].flatMap((index) => call.accounts[index]?.address ?? [])
}

function missing(txid: string): AppError {
  return new AppError({
    code: "solana.transaction_missing",
    disposition: "transient",
    message: "the node reports a transaction as confirmed but does not return it yet; Ballast asks again",
    details: { txid },
  })
}
