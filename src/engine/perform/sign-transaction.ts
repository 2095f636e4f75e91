import { present } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import { declined, type Performer, sourceChain } from "./job.ts"

/** Same plan → same bytes. The journal's claim comes before the key; the bytes are in the journal before the network hears of them. */
export function signTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    // Only a bump comes here while stopped: the attempt that is out is looked at instead.
    if (job.stopped && (kind === "approve" || kind === "deposit")) return declined(job.data.reasons)
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
