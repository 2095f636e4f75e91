import { present } from "#lib/assert.ts"
import type { MoveKind } from "#order/data.ts"
import { declined, type Performer, sourceChain } from "./job.ts"

/** Same plan → same bytes. The journal's claim comes before the key; the bytes are in the journal before the network hears of them. */
export function signMove(kind: MoveKind): Performer {
  return async (job) => {
    // Only a bump comes here while stopped: the attempt that is out is looked at instead.
    if (job.stopped && (kind === "approve" || kind === "deposit")) return declined(job.data.reasons)
    const plan = present(job.data.moves[kind].plan, `the planned ${kind}`)
    job.context.journal.claimSignature({
      orderId: job.data.id,
      purpose: kind,
      attempt: plan.attempt,
      digest: plan.digest,
      claims: plan.claims,
      atMs: job.nowMs,
    })
    return { fact: { type: "move.signed", move: await sourceChain(job).signMove(plan) } }
  }
}
