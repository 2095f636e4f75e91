import type { ChainPort } from "#chains/port.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { WorkResult } from "../stepper.ts"
import {
  heldForGas,
  heldForStuck,
  isTooLate,
  type Job,
  type Performer,
  reasonOf,
  sourceChain,
  whileStopped,
} from "./job.ts"
import { observeAttempts, tellSeen } from "./observe-transaction.ts"

/** Same bytes, same id. Never blindly a second time: order and chain are read first, and the window for sending must be open. */
export function broadcastTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const chain = sourceChain(job)
    const track = job.data.transactions[kind]
    const transaction = present(track.signed.at(-1), `the signed ${kind}`)
    if (job.repeated || track.sentAt !== null) {
      const seen = await observeAttempts(chain, track)
      // An older attempt that waits is why this one was made: it does not stand for it.
      const older = seen.status === "pending" && seen.txid !== transaction.txid
      if (seen.status !== "unseen" && !older) return tellSeen(job, kind, seen)
      if (kind === "deposit" && (await isSettledElsewhere(job))) return { event: { type: "transaction.late" } }
    }
    if (kind === "deposit" && isTooLate(job)) return { event: { type: "transaction.late" } }
    // An approval that was never begun to be sent is in nobody's hands: with its nonce free again it is forgotten.
    if (kind === "approve" && isTooLate(job))
      return { event: { type: "transaction.late", ...(job.repeated || track.sentAt !== null ? {} : { unsent: true }) } }
    if (job.stopped && track.sentAt === null && (kind === "approve" || kind === "deposit")) return whileStopped()
    await resendApproval(job, chain, kind)
    job.begin()
    try {
      await chain.broadcastTransaction(transaction)
    } catch (error) {
      return onFailure(job, kind, error)
    }
    return { event: { type: "transaction.sent", txid: transaction.txid } }
  }
}

function rethrow(error: AppError): never {
  throw error
}

/** Bytes that a node calls invalid may become valid later: the deposit is made harmless before anything is released. */
function onFailure(job: Job, kind: TransactionPurpose, error: unknown): WorkResult {
  if (!(error instanceof AppError)) throw error
  if (error.disposition !== "refused") return heldForStuck(job, kind, [reasonOf(error)]) ?? rethrow(error)
  if (kind === "deposit") return { event: { type: "transaction.late" } }
  const held = heldForGas(job, kind, [reasonOf(error)])
  if (held) return held
  throw error
}

/**
 * A reorganisation may drop an approval that was mined: without its nonce nothing of ours that follows is ever mined. The same bytes again, which
 * does nothing where they are known.
 */
async function resendApproval({ context, data }: Job, chain: ChainPort, kind: TransactionPurpose): Promise<void> {
  const { approve, revoke } = data.transactions
  const last = approve.signed.at(-1)
  const voids = kind === "revoke" && revoke.signed.at(-1)?.plan.action === "void"
  if (kind === "approve" || voids || last === undefined || approve.mined === null) return
  if ((await observeAttempts(chain, approve)).status !== "unseen") return
  try {
    await chain.broadcastTransaction(last)
  } catch (error) {
    context.log.warn(
      { order: data.id, err: error },
      "The approval that a reorganisation dropped could not be sent again",
    )
  }
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
