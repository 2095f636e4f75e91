import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { deferWork, type Job, leadsToDeposit, UNSENT_PATIENCE_MS } from "../observe/job.ts"
import type { WorkResult } from "../stepper.ts"

/**
 * The result for a plan with the bytes of an earlier order's transaction; `null` for a plan that
 * may be signed.
 *
 * A lagging node offers a nonce or coin that is used up. Where the rest is equal too, such as two
 * revocations of one allowance, both transactions have one id: the earlier one would count as this
 * order's own, and this order's allowance would stay. The order plans again until the node is in
 * step. A void, refund or revocation that cannot be planned for `UNSENT_PATIENCE_MS` holds the
 * order.
 */
export function answerRepeatedBytes(
  job: Job,
  purpose: TransactionPurpose,
  plan: TransactionPlan,
): WorkResult | null {
  if (!isSentByAnother(job, plan)) return null
  const message =
    `The node of ${plan.chain} is behind: it leads to a transaction that an earlier order has ` +
    "sent already"
  const reasons: readonly Reason[] = [{ code: "plan.repeated", message, digest: plan.digest }]
  const isEarly = job.nowMs - job.data.stateSince <= UNSENT_PATIENCE_MS
  return isEarly || leadsToDeposit(purpose)
    ? deferWork(reasons)
    : { event: { type: "order.held", reasons } }
}

function isSentByAnother({ context, data }: Job, { digest, chain }: TransactionPlan): boolean {
  return context.journal.listSigners(digest, chain, data.id).some(({ orderId, purpose }) => {
    const row = context.journal.findOrder(orderId)
    if (row === null) return false
    const order = decodeOrNull(row.snapshot)
    return order === null || !(purpose === "approve" && isUnsentApproval(order.data))
  })
}

/**
 * The order's approval was too late before its first send: its allowance is clear although nothing
 * was revoked and no block shows it. Another order may sign such bytes. A missing record of the
 * send proves nothing by itself, because the process may have died after the send.
 */
function isUnsentApproval({
  transactions: { approve, revoke },
  allowanceCleared,
  mined,
}: OrderData): boolean {
  const isShown =
    approve.mined !== null ||
    mined.some(({ txid }) => approve.signed.some((one) => one.txid === txid))
  return allowanceCleared && approve.sentAt === null && revoke.signed.length === 0 && !isShown
}
