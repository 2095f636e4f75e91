import { AppError } from "#lib/app-error.ts"
import type { SecretDecision, SecretDecisionRow, SignatureClaim } from "#ports/signing-record.ts"
import { type All, type One, type Run, toText } from "./row.ts"

/*
 * The conditions between a reveal of our own secret and the signatures of its order. They are part
 * of each claim.
 */

/**
 * Writes the decision; the same one again changes nothing. Throws `journal.secret_decided` (hold)
 * for one that an earlier decision or signature excludes.
 */
export function decideSecret(run: Run, one: One, all: All, row: SecretDecisionRow): void {
  const { orderId, decision, secretHash, atMs } = row
  const known = listDecisions(all, orderId)
  if (known.includes(decision)) return
  const wasRefundRegistered =
    one("select 1 found from signing_record where order_id = ? and purpose = 'refund'", orderId) !==
    undefined
  const excluded =
    (decision === "reveal" && (known.includes("withhold") || wasRefundRegistered)) ||
    (decision === "withhold" && known.includes("reveal")) ||
    (decision === "lost" && !known.includes("reveal"))
  if (excluded)
    throw new AppError({
      code: "journal.secret_decided",
      disposition: "hold",
      message: `The journal already excludes this decision about the order's secret: ${decision}`,
      details: { order: orderId, known: known.join(", "), refundRegistered: wasRefundRegistered },
    })
  run("insert into secret_decisions values (?, ?, ?, ?)", orderId, decision, secretHash, atMs)
}

export function listDecisions(all: All, orderId: string): readonly SecretDecision[] {
  // CAST: the table accepts no other word.
  return all(
    "select decision from secret_decisions where order_id = ? order by rowid",
    orderId,
  ).map((row) => toText(row["decision"]) as SecretDecision)
}

/**
 * A refund is claimed only while the secret has not left, and then it never leaves; or after the
 * payout is proven lost. A redemption tells the secret to the chain, so it needs the decision to
 * reveal, or a secret that others show already. Throws `journal.secret_revealed` or
 * `journal.secret_unrevealed` (hold).
 */
export function judgeSecretUse(
  run: Run,
  one: One,
  all: All,
  { orderId, purpose, ownSecretHash, tellsNoSecret, atMs }: SignatureClaim,
): void {
  if (purpose !== "refund" && purpose !== "redeem") return
  const known = listDecisions(all, orderId)
  if (purpose === "redeem" && !known.includes("reveal") && tellsNoSecret !== true)
    throw new AppError({
      code: "journal.secret_unrevealed",
      disposition: "hold",
      message:
        "A redemption would tell a secret that the journal has not decided to reveal; " +
        "nothing was signed",
      details: { order: orderId },
    })
  if (purpose !== "refund") return
  if (known.includes("reveal") && !known.includes("lost"))
    throw new AppError({
      code: "journal.secret_revealed",
      disposition: "hold",
      message:
        "The order's secret is revealed, and its payout is not proven lost: redeem the " +
        "payout; no refund was signed",
      details: { order: orderId },
    })
  if (ownSecretHash !== undefined && known.length === 0)
    decideSecret(run, one, all, { orderId, decision: "withhold", secretHash: ownSecretHash, atMs })
}
