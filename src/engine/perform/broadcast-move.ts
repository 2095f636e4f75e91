import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { MoveKind } from "#order/data.ts"
import type { Outcome } from "../stepper.ts"
import { isTooLate, type Job, type Performer, sourceChain } from "./job.ts"
import { observeAttempts, toFact } from "./observe-move.ts"

/** Same bytes, same id. Never blindly a second time: order and chain are read first, and the window for sending must be open. */
export function broadcastMove(kind: MoveKind): Performer {
  return async (job) => {
    const chain = sourceChain(job)
    const track = job.data.moves[kind]
    const move = present(track.signed.at(-1), `the signed ${kind}`)
    if (job.repeated || track.sentAt !== null) {
      const seen = await observeAttempts(chain, track)
      // An older attempt that waits is why this one was made: it does not stand for it.
      const older = seen.status === "pending" && seen.txid !== move.txid
      if (seen.status !== "unseen" && !older) return toFact(seen)
      if (kind === "deposit" && (await isSettledElsewhere(job))) return { fact: { type: "move.late" } }
    }
    if (kind === "deposit" && isTooLate(job)) return { fact: { type: "move.late" } }
    job.begin()
    try {
      await chain.broadcastMove(move)
    } catch (error) {
      return onFailure(kind, error)
    }
    return { fact: { type: "move.sent", txid: move.txid } }
  }
}

/** Bytes that a node calls invalid may become valid later: the deposit is made harmless before anything is released. */
function onFailure(kind: MoveKind, error: unknown): Outcome {
  const refused = error instanceof AppError && error.disposition === "refused"
  if (refused && kind === "deposit") return { fact: { type: "move.late" } }
  throw error
}

/** The order came to an end without us. A service that cannot be read says nothing either way. */
async function isSettledElsewhere({ context, data }: Job): Promise<boolean> {
  try {
    const { source, destination } = await context.service.fetchOrder(present(data.created, "the created order").orderId)
    return source.refundTx !== null || source.redeemTx !== null || destination.refundTx !== null
  } catch (error) {
    context.log.debug({ order: data.id, err: error }, "The order could not be read before sending again")
    return false
  }
}
