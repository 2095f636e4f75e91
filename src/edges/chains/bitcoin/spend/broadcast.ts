import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { Esplora } from "../esplora.ts"
import type { SubmitAnswer } from "../nodes/endpoint.ts"

/**
 * Sends the stored bytes to every endpoint. Succeeds if one endpoint accepts the transaction or
 * already has it.
 *
 * Throws `bitcoin.broadcast_refused` (refused) only if every endpoint names a rule that these bytes
 * can never meet. Every other failure is `bitcoin.broadcast_rejected` or
 * `bitcoin.broadcast_unknown` (uncertain), above all a spent input or a missing answer: an earlier
 * attempt may itself conflict with this transaction, so the engine observes the chain before it
 * decides.
 */
export async function broadcastTransaction(
  esplora: Esplora,
  transaction: SignedTransaction,
): Promise<void> {
  const answers = await esplora.submitTx(transaction)
  const verdicts = answers.map((answer) => judgeAnswer(answer, transaction.txid))
  if (verdicts.includes("accepted")) return
  const answersText = answers
    .map(({ status, shown }) => `${status ?? "no answer"}: ${shown}`)
    .join(" | ")
  if (verdicts.every((verdict) => verdict === "refused"))
    throw failure(
      "refused",
      "bitcoin.broadcast_refused",
      "every node rejects the transaction as permanently invalid",
      answersText,
      transaction,
    )
  if (verdicts.includes("conflict"))
    throw failure(
      "uncertain",
      "bitcoin.broadcast_rejected",
      "another transaction already spends an input",
      answersText,
      transaction,
    )
  throw failure(
    "uncertain",
    "bitcoin.broadcast_unknown",
    "no node confirmed that it accepted the transaction",
    answersText,
    transaction,
  )
}

type SubmitVerdict = "accepted" | "conflict" | "refused" | "unknown"

/**
 * Judges by the reject reasons of Bitcoin Core's `sendrawtransaction` (validation.cpp, policy.cpp),
 * which Esplora passes on as text.
 */
function judgeAnswer(answer: SubmitAnswer, txid: string): SubmitVerdict {
  const { status, text } = answer
  if (status === null) return "unknown"
  if (status === 200) return text.replaceAll('"', "") === txid ? "accepted" : "unknown"
  if (ALREADY_KNOWN.test(text)) return "accepted"
  if (CONFLICT.test(text)) return "conflict"
  // The transaction is too early or its fee is too low at this moment; a later attempt may succeed.
  if (TEMPORARY.test(text)) return "unknown"
  return status < 500 && NEVER_VALID.test(text) ? "refused" : "unknown"
}

const ALREADY_KNOWN = anyOf([
  "txn-already-in-mempool",
  "txn-already-known",
  "txn-same-nonwitness-data-in-mempool",
  "transaction already in block ?chain",
  "already in utxo set",
])
const CONFLICT = anyOf([
  "inputs-missingorspent",
  "missing[- ]?inputs",
  "txn-mempool-conflict",
  "insufficient fee",
  "replacement-",
  "too many potential replacements",
])
const TEMPORARY = anyOf([
  "non-final",
  "nonfinal",
  "non-bip68-final",
  "premature-spend",
  "mempool min fee not met",
  "mempool full",
  "too-long-mempool-chain",
])
const NEVER_VALID = anyOf([
  "bad-txns-",
  "bad-witness",
  "mandatory-script-verify",
  "min relay fee not met",
  "dust",
  "tx-size",
  "scriptpubkey",
  "scriptsig",
  "tx decode failed",
  "mempool-script-verify",
  "bad-tx",
])

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join("|"), "i")
}

function failure(
  disposition: "refused" | "uncertain",
  code: string,
  sentence: string,
  answersText: string,
  transaction: SignedTransaction,
): AppError {
  const next =
    disposition === "refused"
      ? "plan a new transaction"
      : "observe the chain before sending it again"
  return new AppError({
    code,
    disposition,
    message: `${sentence}; ${next} (${answersText})`,
    details: {
      txid: transaction.txid,
      purpose: transaction.plan.action,
      attempt: transaction.plan.attempt,
      said: answersText,
    },
  })
}
