import { present } from "#lib/assert.ts"
import type { MoveKind } from "#order/data.ts"
import { accountPrefix } from "../context.ts"
import { type Performer, sourceChain, stuckReason } from "./job.ts"

/** A higher fee on the same nonce or inputs, so that old and new exclude each other. */
export function bumpMove(kind: MoveKind): Performer {
  return async (job) => {
    if (job.stopped && (kind === "approve" || kind === "deposit")) return { fact: { type: "move.unbumpable" } }
    const chain = sourceChain(job)
    const last = present(job.data.moves[kind].signed.at(-1), `the signed ${kind}`)
    const plan = await chain.planBump(last.plan)
    if (plan === null) return { fact: { type: "move.unbumpable", reasons: [stuckReason(kind, last.txid)] } }
    return { fact: { type: "move.planned", plan }, reserve: plan.claims.map((claim) => accountPrefix(chain) + claim) }
  }
}
