import { isReadingFresh, wasKeptHere } from "#domain/may-leave.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isAttested } from "#order/guards.ts"
import { isApprovalOpen } from "#order/mined.ts"
import type { ChainPort } from "#ports/chain.ts"
import { serviceFor } from "../../context.ts"
import { staysInPause } from "../is-unsent.ts"
import {
  chainOfPurpose,
  deferWhileStopped,
  holdForMissingGas,
  holdForStuckTransaction,
  isTooLate,
  isTooLateNow,
  type Job,
  leadsToDeposit,
  type Performer,
  reasonOf,
} from "../observe/job.ts"
import {
  type AttemptObservation,
  bumpWaitMs,
  isOutlived,
  isToldRedemption,
  mayExpire,
  outlived,
  readAttempts,
  reportObservation,
  toWorkResult,
  withDoubts,
} from "../observe/observe-transaction.ts"
import { findLateRedemption, unlessOver } from "../observe/time-to-redeem.ts"
import { leaveOnce } from "../outgoing-calls.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, type WorkEntry } from "../work-entry.ts"
import { type Companion, findCompanion } from "./companion.ts"
import { isCompanionUnsent, sendCompanion } from "./open-companion.ts"
import { resendDropped } from "./resend-dropped.ts"

/**
 * Sends the signed bytes. Before a second send the performer reads chain and order, and the time to
 * send must not be over.
 */
export function broadcastTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const chain = chainOfPurpose(job, kind)
    const track = job.data.transactions[kind]
    const transaction = mustExist(track.signed.at(-1), `the signed ${kind}`)
    const maybeSent = job.repeated || track.sentAt !== null
    const seen = maybeSent ? await readBefore(job, chain, kind) : null
    if (seen !== null) {
      const waits = seen.status === "unseen" || (await isSentAgain(job, chain, kind, seen))
      if (!waits) return reportObservation(job, kind, seen)
      if (kind === "deposit" && (await isSettledByOthers(job)))
        return withDoubts({ event: { type: "transaction.late" } }, seen)
    }
    const late = await findLateness(job, kind, maybeSent)
    if (late !== null) return late
    const answerStop = (): WorkResult | null =>
      staysInPause(job, kind) ? deferWhileStopped(job) : null
    const stopped = answerStop()
    if (stopped !== null) return stopped
    await resendDroppedApproval(job, chain, kind)
    const judgement = { answerStop, isOld: () => isOld(job, kind) }
    return leaveOnce(job, judgement, async (mayLeave) => {
      try {
        const companion = await sendCompanion(job, chain, kind, { isFirst: !maybeSent, mayLeave })
        // A pause may keep the deposit here after its approval has left. The approval is revoked if
        // the pause lasts.
        await chain.broadcastTransaction(transaction, mayLeave)
        return withDoubts({ event: sentEvent(transaction, companion) }, seen ?? {})
      } catch (error) {
        if (wasKeptHere(error)) throw error
        return answerFailure(job, kind, error)
      }
    })
  }
}

/**
 * The attempts as the chain shows them before another send. `null`: no node answers for a told
 * secret's redemption. Its bytes leave again all the same, because the payout's lock does not wait.
 */
async function readBefore(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<AttemptObservation | null> {
  try {
    return await readAttempts(job, chain, kind)
  } catch (error) {
    if (isToldRedemption(kind, job.data)) return null
    throw error
  }
}

/**
 * Does a pending transaction need this sending? A pending older attempt does not replace this one:
 * Ballast made this attempt because the fee of the older one was too low. One that waits for its
 * companion is sent again with it.
 */
async function isSentAgain(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
  { status, txid, isDoubted }: AttemptObservation,
): Promise<boolean> {
  if (status !== "pending") return false
  return (
    isDoubted === true ||
    txid !== job.data.transactions[kind].signed.at(-1)?.txid ||
    (await isCompanionUnsent(job, chain, kind))
  )
}

function sentEvent({ txid }: SignedTransaction, companion: Companion | null): UntimedOrderEvent {
  if (companion === null) return { type: "transaction.sent", txid }
  const { purpose, transaction } = companion
  return { type: "transaction.sent", txid, companion: { purpose, txid: transaction.txid } }
}

/** The event for a transaction whose time for sending is over; else `null`. */
async function findLateness(
  job: Job,
  kind: TransactionPurpose,
  maybeSent: boolean,
): Promise<WorkResult | null> {
  if (kind === "redeem") {
    const late = await findLateRedemption(job)
    return late === null ? null : { event: { type: "transaction.late", reasons: [late] } }
  }
  if ((kind !== "deposit" && kind !== "approve") || !isTooLate(job)) return null
  // No node ever had an unsent approval, so releasing its nonce is safe.
  const isUnsentApproval = kind === "approve" && !maybeSent
  return { event: { type: "transaction.late", ...(isUnsentApproval ? { unsent: true } : {}) } }
}

/**
 * The process may have stood still since the work began. Our redemption shows the secret to
 * everyone, so it leaves only if the chains were read a moment ago, and a deposit only within its
 * window.
 */
function isOld(job: Job, kind: TransactionPurpose): boolean {
  if (kind === "redeem") return !isReadingFresh(job.nowMs, job.context.clock.now())
  return leadsToDeposit(kind) && isTooLateNow(job)
}

export const broadcastTransactionWork: WorkEntry<"broadcastTransaction"> = {
  perform: (job, { purpose }) => unlessOver(job, purpose, broadcastTransaction(purpose)),
  lane: null,
  spends: true,
  whilePaused: ({ purpose }, { data, isFirstTry }) =>
    leadsToDeposit(purpose) && isFirstTry && data.transactions[purpose].sentAt === null
      ? "waits"
      : "runs",
  onRefused: declinesWhenRefused,
  repeat:
    "Observes the chain first, then sends the same bytes; for a deposit also reads the " +
    "order, and never sends after its window.",
}

/**
 * A node may reject bytes now and accept them later, so a refused deposit is voided before its
 * reservations are released.
 */
function answerFailure(job: Job, kind: TransactionPurpose, error: unknown): WorkResult {
  if (!(error instanceof AppError)) throw error
  if (isOutlived(job, kind)) return toWorkResult(outlived(job, kind))
  if (needsHigherFee(job, kind)) return { event: { type: "transaction.stuck" } }
  if (error.disposition !== "refused")
    return holdForStuckTransaction(job, kind, [reasonOf(error)]) ?? rethrow(error)
  if (kind === "deposit" && !isAttested(job.data)) return { event: { type: "transaction.late" } }
  return holdForMissingGas(job, kind, [reasonOf(error)]) ?? rethrow(error)
}

/**
 * Nodes may refuse a redemption for a fee that rose after its signature, and the lock of its payout
 * does not wait: it gets a higher fee, as one that no block takes. Where a chain has no replacement
 * (Solana), the bytes expire, and a new plan has the new fee.
 */
function needsHigherFee(job: Job, kind: TransactionPurpose): boolean {
  const { data, nowMs } = job
  if (kind !== "redeem" || mayExpire(data, kind)) return false
  return (
    Math.abs(nowMs - data.stateSince) >
    bumpWaitMs(data, kind, data.transactions[kind].signed.length)
  )
}

function rethrow(error: AppError): never {
  throw error
}

/**
 * Sends a mined approval again when a reorganisation dropped it, before a transaction that may wait
 * behind its nonce.
 */
async function resendDroppedApproval(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<void> {
  const { approve, revoke } = job.data.transactions
  const voidsApproval = kind === "revoke" && revoke.signed.at(-1)?.plan.action === "void"
  if (
    kind === "approve" ||
    kind === "redeem" ||
    voidsApproval ||
    findCompanion(job.data, kind) !== null
  )
    return
  if (approve.mined === null && !(approve.isPaired === true && isApprovalOpen(approve))) return
  await resendDropped(job, chain, "approve")
}

/**
 * The service reports that the order has ended although we sent no deposit. An unreadable service
 * proves nothing either way.
 */
async function isSettledByOthers({ context, data }: Job): Promise<boolean> {
  try {
    const { source, destination } = await serviceFor(context, data).fetchOrder(
      mustExist(data.created, "the created order").orderId,
    )
    return source.refundTx !== null || source.redeemTx !== null || destination.refundTx !== null
  } catch (error) {
    context.log.debug(
      { order: data.id, err: error },
      "The order could not be read before sending again",
    )
    return false
  }
}
