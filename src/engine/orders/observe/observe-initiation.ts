import { max } from "#domain/amount.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { noteLegRead, noteLegUnread, UNREAD_WAIT_MS } from "../../watches/unread-legs.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { findUnreadAlarms } from "./find-alerts.ts"
import {
  deferWork,
  destinationChain,
  isTooLate,
  type Job,
  type Performer,
  saysDepositExists,
  sourceChain,
  usesAllowance,
} from "./job.ts"
import { observeAttempts, withDoubts } from "./observe-transaction.ts"
import { readProof } from "./prove-unfunded.ts"
import { readInTime } from "./read-in-time.ts"

/** After this time without an initiation a deposit with way `auto` is made directly. */
const RELAY_PATIENCE_MS = 20_000
/** After this time without an initiation the relay gets the same signature again. */
const RESUBMIT_AFTER_MS = 8_000

/**
 * Observes whether the relay has used the signature.
 *
 * Without an initiation in time, the order submits the signature again or (`auto`) deposits
 * directly. Either the contract allows only one of the two initiations, or the signature is dead.
 */
export const observeInitiation: Performer = async (job) => {
  const leg = await readSourceOrNull(job)
  // The relay may have deposited already, so an unread deposit is an alarm here too.
  if (leg === null) {
    const known = job.data.reasons.filter(({ code }) => code !== UNREAD.code)
    return withDoubts(deferWork([...known, UNREAD], UNREAD_WAIT_MS), {
      doubts: findUnreadAlarms(job, job.data.seen),
    })
  }
  // Nothing is paid in the same moment (`read-legs.ts`).
  if (leg.agreed && leg.initiated !== null) job.context.memory.legReads.set(job.data.id, job.nowMs)
  return withDoubts(await conclude(job, leg), leg)
}

/** Throws an error that holds the order: a held order observes both legs, and raises the alarm. */
async function readSourceOrNull(job: Job): Promise<LegObservation | null> {
  const { context, data } = job
  try {
    const leg = await readInTime(context, `${data.id} initiation`, () => observeSource(job))
    noteLegRead(context, data.id, "source")
    return leg
  } catch (error) {
    noteLegUnread(context, data, "source", error)
    job.noteUnread?.(error)
    if (!(error instanceof AppError) || error.disposition === "hold") throw error
    return null
  }
}

const UNREAD = {
  code: "gasless.unread",
  message: "The source HTLC cannot be read, so the initiation is unknown",
}

async function conclude(job: Job, { initiated, height }: LegObservation): Promise<WorkResult> {
  const gasless = mustExist(job.data.gasless, "the gasless signature")
  if (initiated !== null) return { event: { type: "gasless.initiated", ...initiated } }
  if (saysDepositExists(job, job.data.reasons)) return awaitExistingDeposit(job)
  if (isTooLate(job) || isAbandoned(job))
    return gasless.life === undefined ? disarm(job, height) : endMortal(TOO_LATE)
  const waiting = {
    code: "gasless.waiting",
    message: "The relay has the signature; no initiation on chain yet",
  }
  const waitedMs = job.nowMs - gasless.signedAt
  const isPatient = !gasless.refused && waitedMs <= RELAY_PATIENCE_MS
  const isDead = !isPatient && gasless.life !== undefined && (await isNeverUsed(job))
  if (isDead && job.data.policy.way !== "auto") return endMortal(NEVER_USED)
  const isExcluded = gasless.life === undefined || isDead
  const direct = job.data.policy.way === "auto" && !isPatient && isExcluded
  const again = Math.abs(job.nowMs - job.data.stateSince) > RESUBMIT_AFTER_MS
  if ((direct || again) && (await isApprovalLost(job))) {
    const message =
      "A reorganisation removed the approval that the signature needs; it is sent again"
    return { event: { type: "approval.lost", reasons: [{ code: "approval.lost", message }] } }
  }
  if (direct) {
    const why = isDead
      ? "no block can take its signature any more"
      : "the contract excludes a second initiation"
    const message = `The relay did not initiate; ${why}, so the deposit is made directly`
    return {
      event: { type: "gasless.fell_through", reasons: [{ code: "gasless.fell_through", message }] },
    }
  }
  return again ? { event: { type: "gasless.missing", reasons: [waiting] } } : deferWork([waiting])
}

/**
 * Enough endpoints prove that the signature is dead and was never used. Only then may another
 * deposit be signed: an HTLC that closed in the meantime would take the second one too.
 */
async function isNeverUsed(job: Job): Promise<boolean> {
  return (await readProof(job, sourceChain(job))).status === "unfunded"
}

/** The order ends with a proof that nothing was deposited, which waits for the signature's end. */
function endMortal(message: string): WorkResult {
  return { event: { type: "gasless.late", reasons: [{ code: "gasless.late", message }] } }
}

const TOO_LATE =
  "The order may no longer deposit: it ends once no block can take the relay's signature"
const NEVER_USED = "Not deposited: the relay let its signature die, and only gasless is allowed"

export const observeInitiationWork: WorkEntry<"observeInitiation"> = {
  perform: observeInitiation,
  lane: null,
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
}

/**
 * The contract refused the direct deposit because the relay's deposit exists, and no event shows
 * that deposit. A node's events may lag behind its state, so the observation is repeated. After
 * that a person must look; neither way of depositing can help.
 */
function awaitExistingDeposit({ data }: Job): WorkResult {
  const { tries, reasons } = data
  return tries < EXISTING_DEPOSIT_TRIES
    ? deferWork(reasons)
    : { event: { type: "order.held", reasons } }
}

/** With the growing waits between tries this takes about a minute. */
const EXISTING_DEPOSIT_TRIES = 10

/** The allowance is revoked, or an operator has abandoned the order and the revocation follows. */
function isAbandoned({ data }: Job): boolean {
  return data.allowanceCleared || data.ending === "abandoned"
}

/**
 * Judges by the approval itself: a missing allowance may also mean that the relay has just used it.
 */
async function isApprovalLost(job: Job): Promise<boolean> {
  const { approve } = job.data.transactions
  return (
    approve.signed.length > 0 &&
    (await observeAttempts(sourceChain(job), job.data, "approve")).status !== "mined"
  )
}

/**
 * Makes the relay's signature harmless once the order may no longer deposit. The signature itself
 * never expires.
 *
 * Without an allowance the contract refuses the signature, so the order revokes the allowance
 * first. Afterwards the relay could use the signature only while a later order's allowance exists;
 * the order stays `disarmed` and watches for that, without its lock and without counting as in
 * flight. A deposit that needs no allowance stays in doubt.
 */
async function disarm(job: Job, height: bigint): Promise<WorkResult> {
  const { data } = job
  const { asset, htlc } = mustExist(data.deposit, "the verified deposit")
  if (usesAllowance(job) && !data.allowanceCleared) {
    const message =
      "The order may no longer deposit: it revokes the allowance, so that the signature " +
      "cannot be used"
    return { event: { type: "gasless.late", reasons: [{ code: "gasless.late", message }] } }
  }
  const chain = sourceChain(job)
  // A node below the block of the revocation, or below a block seen before, does not know the
  // content of these blocks.
  const knownHeight = max(
    data.transactions.revoke.mined?.height ?? 0n,
    data.seen.sourceHeight ?? 0n,
  )
  if (height < knownHeight) return deferWork(data.reasons)
  const left = usesAllowance(job)
    ? await chain.findMissingApproval(asset ?? data.request.from, htlc, 0n)
    : "unknown"
  if (left !== null) {
    const message =
      "The order may no longer deposit, and the relay has the signature and can still use it"
    // Endpoints below the block that used up the allowance still show it.
    if (left !== "unknown" && data.tries < LEFT_ALLOWANCE_TRIES)
      return deferWork([{ code: "gasless.in_doubt", message }])
    return { event: { type: "order.held", reasons: [{ code: "gasless.in_doubt", message }] } }
  }
  // This read comes after the allowance: an allowance that is gone may have been used a moment ago.
  const last = await observeSource(job)
  if (last.initiated !== null) return { event: { type: "gasless.initiated", ...last.initiated } }
  // A few endpoints alone cannot release the allowance lock and the order's slot.
  if (last.height < knownHeight || !last.agreed) return withDoubts(deferWork(data.reasons), last)
  const payout = data.receipt === null ? null : await observePayout(job)
  if (payout?.agreed === false) return withDoubts(deferWork(data.reasons), payout)
  return reportDisarmed(job, htlc, payout)
}

/** `payout`: the destination HTLC, where the order has booked a payout from it. */
function reportDisarmed({ data }: Job, htlc: string, payout: LegObservation | null): WorkResult {
  const message =
    "Not deposited: the relay never used the signature, and without an allowance it cannot. " +
    "The order watches for a later allowance"
  const reasons = [{ code: "gasless.disarmed", message, htlc }]
  const isGone =
    payout !== null && payout.redeemed === null && data.seen.destinationRedeemed?.final !== true
  return { event: { type: "gasless.disarmed", reasons, ...(isGone ? { payoutGone: true } : {}) } }
}

/** With the growing waits between tries this takes about a minute. */
const LEFT_ALLOWANCE_TRIES = 10

/** A reorganisation can take a booked payout away together with the deposit. */
async function observePayout(job: Job): Promise<LegObservation> {
  const chain = destinationChain(job)
  return chain.observeLeg(destinationQuery(job.data, chain.traits))
}

async function observeSource(job: Job): Promise<LegObservation> {
  return sourceChain(job).observeLeg(sourceQuery(job.data))
}
