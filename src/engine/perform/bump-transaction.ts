import { present } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import { accountPrefix } from "../context.ts"
import { type Performer, sourceChain, stuckReason } from "./job.ts"

/** A higher fee on the same nonce or inputs, so that old and new exclude each other. */
export function bumpTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    if (job.stopped && (kind === "approve" || kind === "deposit")) return { event: { type: "transaction.unbumpable" } }
    const chain = sourceChain(job)
    const last = present(job.data.transactions[kind].signed.at(-1), `the signed ${kind}`)
    const plan = await chain.planBump(last.plan)
    if (plan === null) return { event: { type: "transaction.unbumpable", reasons: [stuckReason(kind, last.txid)] } }
    return {
      event: { type: "transaction.planned", plan },
      reserve: plan.resources.map((resource) => accountPrefix(chain) + resource),
    }
  }
}
