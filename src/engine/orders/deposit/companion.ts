import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { CompanionPurpose } from "#order/events.ts"
import { isApprovalOpen } from "#order/mined.ts"

/*
 * A pair is an approval and its deposit on adjacent nonces (ADR 35). The companion of a deposit is
 * its approval; the companion of a deposit's void is the void of that approval. No block can have
 * the second of the two before the first.
 */

export type Companion = {
  readonly purpose: CompanionPurpose
  readonly transaction: SignedTransaction
}
export type PlannedCompanion = {
  readonly purpose: CompanionPurpose
  readonly plan: TransactionPlan
}

/** The companion's plan that waits for its signature; `null` without one. */
export function findPlannedCompanion(
  { transactions }: OrderData,
  kind: TransactionPurpose,
): PlannedCompanion | null {
  const { approve, revoke } = transactions
  if (kind === "deposit" && approve.isPaired === true && approve.plan !== null)
    return { purpose: "approve", plan: approve.plan }
  if (kind === "void" && revoke.plan?.action === "void")
    return { purpose: "revoke", plan: revoke.plan }
  return null
}

/**
 * The signed companion that a block must have first, as far as the order knows; `null` when the
 * nonce before is used.
 */
export function findCompanion(
  { transactions }: OrderData,
  kind: TransactionPurpose,
): Companion | null {
  const { approve, revoke } = transactions
  if (approve.isPaired !== true || !isApprovalOpen(approve)) return null
  const voided = kind === "void" && revoke.settled !== true ? revoke.signed.at(-1) : undefined
  if (voided?.plan.action === "void") return { purpose: "revoke", transaction: voided }
  const approval = approve.signed.at(-1)
  if ((kind !== "deposit" && kind !== "void") || approval === undefined) return null
  return { purpose: "approve", transaction: approval }
}
