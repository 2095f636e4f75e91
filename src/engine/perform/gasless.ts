import type { LegObservation } from "#chains/port.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { sourceQuery } from "../leg-queries.ts"
import type { WorkResult } from "../stepper.ts"
import {
  deferred,
  isTooLate,
  type Job,
  type Performer,
  sourceChain,
  tooLate,
  usesAllowance,
  whileStopped,
} from "./job.ts"
import { observeAttempts } from "./observe-transaction.ts"

/** How long a relay may take before the direct way is considered (`auto`), or the same signature is handed over again. */
const RELAY_PATIENCE_MS = 20_000
const RESUBMIT_AFTER_MS = 8_000

/** Same deposit → same signature. One typed-data signature per order, claimed in the journal before the key is touched. */
export const signTypedData: Performer = async (job) => {
  if (isTooLate(job)) return tooLate(job)
  const deposit = present(job.data.deposit, "the verified deposit")
  const digest = digestOf(deposit)
  job.context.journal.claimSignature({
    orderId: job.data.id,
    purpose: "gasless",
    attempt: 0,
    digest,
    resources: [],
    atMs: job.nowMs,
  })
  const signed = await sourceChain(job).signTypedData(deposit)
  return { event: { type: "gasless.signed", ...signed } }
}

/** By which the journal knows the signature of this deposit. */
export function digestOf({ chain, htlc, secretHash }: VerifiedDeposit): string {
  return `${chain}/${htlc}/${secretHash}`
}

/** Safe to repeat with the same signature, because the contract refuses a second initiation; even so the chain is read first. */
export const submitSignature: Performer = async (job) => {
  const gasless = present(job.data.gasless, "the gasless signature")
  if (job.repeated || gasless.submissions > 0) {
    const { initiated } = await observeSource(job)
    if (initiated !== null) return { event: { type: "gasless.initiated", ...initiated } }
    // It may have left the house before, so the order cannot end as not deposited: what becomes of it is watched.
    if (isTooLate(job))
      return { event: { type: "gasless.submitted", answer: "in doubt, and too late to try again", refused: false } }
  }
  if (isTooLate(job)) return tooLate(job)
  if (job.stopped) return whileStopped()
  job.begin()
  try {
    const orderId = present(job.data.created, "the created order").orderId
    const { answer } = await job.context.service.submitSignature(orderId, gasless.signature)
    return { event: { type: "gasless.submitted", answer, refused: false } }
  } catch (error) {
    // Whatever the answer was, the signature has left the house: only the chain can tell what became of it.
    const refused = error instanceof AppError && error.disposition === "refused"
    const answer = error instanceof AppError ? `${error.code}: ${error.message}` : String(error)
    return { event: { type: "gasless.submitted", answer, refused } }
  }
}

/** Plain read: has the signature been used? If not, in time: submit again, or (`auto`) go the direct way, which the contract makes exclusive. */
export const observeInitiation: Performer = async (job) => {
  const gasless = present(job.data.gasless, "the gasless signature")
  const { initiated, height } = await observeSource(job)
  if (initiated !== null) return { event: { type: "gasless.initiated", ...initiated } }
  if (isTooLate(job) || isGivenUp(job)) return disarm(job, height)
  const reason = { code: "gasless.waiting", message: "The signature is handed over; no initiation on chain yet" }
  const waitedMs = job.nowMs - gasless.signedAt
  const direct = job.data.policy.way === "auto" && (gasless.refused || waitedMs > RELAY_PATIENCE_MS)
  const again = job.nowMs - job.data.stateSince > RESUBMIT_AFTER_MS
  if ((direct || again) && (await isApprovalLost(job))) {
    const message = "A reorganisation took the approval out that the signature needs; it is sent again"
    return { event: { type: "approval.lost", reasons: [{ code: "approval.lost", message }] } }
  }
  if (direct) {
    const message =
      "The relay did not initiate; the contract excludes a second initiation, so the deposit is made directly"
    return { event: { type: "gasless.fell_through", reasons: [{ code: "gasless.fell_through", message }] } }
  }
  return again ? { event: { type: "gasless.missing", reasons: [reason] } } : deferred([reason])
}

/** The allowance was taken back, or is going to be. */
function isGivenUp({ data }: Job): boolean {
  return data.allowanceCleared || data.ending === "abandoned"
}

/** By the approval itself: an allowance that is gone may just have been used. */
async function isApprovalLost(job: Job): Promise<boolean> {
  const { approve } = job.data.transactions
  return approve.signed.length > 0 && (await observeAttempts(sourceChain(job), approve)).status !== "mined"
}

/**
 * Nothing may be deposited any more and the relay has a signature that never ends. Without an allowance the contract refuses it, so that is taken
 * back; from then on it could only be used while a later order's allowance stands, and the order is watched for that, without its lock and its
 * place in flight. What needs no allowance stays in doubt.
 */
async function disarm(job: Job, height: bigint): Promise<WorkResult> {
  const { data } = job
  const { asset, htlc } = present(data.deposit, "the verified deposit")
  if (usesAllowance(job) && !data.allowanceCleared) {
    const message =
      "Nothing may be deposited any more: the allowance is taken back, so that the signature cannot be used"
    return { event: { type: "gasless.late", reasons: [{ code: "gasless.late", message }] } }
  }
  const chain = sourceChain(job)
  // A node that has not come to the revocation's block, or to one that was seen before, cannot say what is in them.
  const known = max(data.transactions.revoke.mined?.height ?? 0n, data.seen.sourceHeight ?? 0n)
  if (height < known) return deferred(data.reasons)
  const left = usesAllowance(job) ? await chain.findMissingApproval(asset ?? data.request.from, htlc, 0n) : "unknown"
  if (left !== null) {
    const message =
      "The relay has the signature, nothing may be deposited any more, and nothing keeps it from being used"
    return { event: { type: "order.held", reasons: [{ code: "gasless.in_doubt", message }] } }
  }
  // Read after the allowance: what is gone may have been used a moment ago.
  const last = await observeSource(job)
  if (last.initiated !== null) return { event: { type: "gasless.initiated", ...last.initiated } }
  if (last.height < known) return deferred(data.reasons)
  const message =
    "Not deposited: the relay never used the signature, and without an allowance it cannot. Watched, in case a later allowance lets it"
  return { event: { type: "gasless.disarmed", reasons: [{ code: "gasless.disarmed", message, htlc }] } }
}

async function observeSource(job: Job): Promise<LegObservation> {
  return sourceChain(job).observeLeg(sourceQuery(job.data))
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
