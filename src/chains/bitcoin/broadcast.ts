import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { Esplora, SubmitAnswer } from "./esplora.ts"

/**
 * Sends the stored bytes to every endpoint; done when one takes them or has them.
 *
 * Throws `bitcoin.broadcast_refused` (refused) only when every endpoint names a rule that these bytes can never meet. Anything
 * else, above all a spent input or no answer, is `bitcoin.broadcast_rejected` or `bitcoin.broadcast_unknown` (uncertain): an
 * earlier attempt may be the very transaction that stands in the way, so the engine looks before it decides.
 */
export async function broadcastTransaction(esplora: Esplora, transaction: SignedTransaction): Promise<void> {
  const answers = await esplora.submitTx(transaction.raw)
  const verdicts = answers.map((answer) => judge(answer, transaction.txid))
  if (verdicts.includes("taken")) return
  const said = answers.map(({ status, text }) => `${status ?? "no answer"}: ${text}`).join(" | ")
  if (verdicts.every((verdict) => verdict === "refused"))
    throw failure(
      "refused",
      "bitcoin.broadcast_refused",
      "every node refuses the transaction for good",
      said,
      transaction,
    )
  if (verdicts.includes("conflict"))
    throw failure(
      "uncertain",
      "bitcoin.broadcast_rejected",
      "an input is spent or held by another transaction",
      said,
      transaction,
    )
  throw failure(
    "uncertain",
    "bitcoin.broadcast_unknown",
    "no node said that it took the transaction",
    said,
    transaction,
  )
}

type SubmitVerdict = "taken" | "conflict" | "refused" | "unknown"

/** Reject reasons of Bitcoin Core's `sendrawtransaction` (validation.cpp, policy.cpp), which Esplora passes on as text. */
function judge(answer: SubmitAnswer, txid: string): SubmitVerdict {
  const { status, text } = answer
  if (status === null) return "unknown"
  if (status === 200) return text.replaceAll('"', "") === txid ? "taken" : "unknown"
  if (ALREADY_KNOWN.test(text)) return "taken"
  if (CONFLICT.test(text)) return "conflict"
  // Too early, or too cheap just now: true today, not for good.
  if (TEMPORARY.test(text)) return "unknown"
  return status < 500 && NEVER_VALID.test(text) ? "refused" : "unknown"
}

const ALREADY_KNOWN =
  /txn-already-in-mempool|txn-already-known|txn-same-nonwitness-data-in-mempool|transaction already in block ?chain|already in utxo set/i
const CONFLICT =
  /inputs-missingorspent|missing[- ]?inputs|txn-mempool-conflict|insufficient fee|replacement-|too many potential replacements/i
const TEMPORARY =
  /non-final|nonfinal|non-bip68-final|premature-spend|mempool min fee not met|mempool full|too-long-mempool-chain/i
const NEVER_VALID =
  /bad-txns-|bad-witness|mandatory-script-verify|min relay fee not met|dust|tx-size|scriptpubkey|scriptsig|tx decode failed|mempool-script-verify|bad-tx/i

function failure(
  disposition: "refused" | "uncertain",
  code: string,
  sentence: string,
  said: string,
  transaction: SignedTransaction,
): AppError {
  const next = disposition === "refused" ? "plan it again" : "look at the chain before sending it again"
  return new AppError({
    code,
    disposition,
    message: `${sentence}; ${next} (${said})`,
    details: { txid: transaction.txid, action: transaction.plan.action, attempt: transaction.plan.attempt, said },
  })
}
