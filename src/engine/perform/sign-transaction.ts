import { present } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { WorkEntry } from "../work-entry.ts"
import { declineOrder, leadsToDeposit, type Performer, protectsFunds, sourceChain } from "./job.ts"

/** Claims the signature in the journal, then signs. The commit stores the bytes before any node receives them. */
export function signTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    // During a pause only a fee bump gets here. Without the bump the order observes the attempt that is already sent.
    if (job.paused && leadsToDeposit(kind)) return declineOrder(job.data.reasons)
    const plan = present(job.data.transactions[kind].plan, `the planned ${kind}`)
    job.context.journal.claimSignature({
      orderId: job.data.id,
      purpose: kind,
      attempt: plan.attempt,
      digest: plan.digest,
      resources: plan.resources,
      atMs: job.nowMs,
    })
    return { event: { type: "transaction.signed", transaction: await sourceChain(job).signTransaction(plan) } }
  }
}

export const signTransactionWork: WorkEntry<"signTransaction"> = {
  perform: (job, { purpose }) => signTransaction(purpose)(job),
  lane: null,
  spends: true,
  whilePaused: ({ purpose }, { data }) =>
    leadsToDeposit(purpose) && data.transactions[purpose].signed.length === 0 ? "waits" : "runs",
  onRefused: ({ purpose }) => (protectsFunds(purpose) ? "order.held" : "order.declined"),
  repeat: "Same plan, same bytes (ADR 3).",
}
