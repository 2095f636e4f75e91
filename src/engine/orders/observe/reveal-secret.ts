import { chainOf } from "#domain/asset.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { isReadingFresh, wasKeptHere } from "#domain/may-leave.ts"
import type { Reason } from "#domain/reason.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import { wasRefundSigned } from "#order/data.ts"
import { serviceFor } from "../../context.ts"
import { untilHere } from "../outgoing-calls.ts"
import { noteTelling } from "../pay/lane-turns.ts"
import type { WorkResult } from "../stepper.ts"
import { runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { findShownSecret } from "./decide-secret-step.ts"
import { findLongQueue } from "./find-long-queue.ts"
import { type Job, type Performer, reasonOf, refuseIfGone } from "./job.ts"
import { type PayoutProof, provePayout } from "./prove-payout.ts"
import { readInTime } from "./read-in-time.ts"
import { isDepositGone, readLegOrNull } from "./read-leg.ts"

/**
 * Tells the service our secret: proves the payout, decides in the journal, waits for the disk, and
 * only then sends. A payout that only our own key can redeem (Bitcoin) needs no service: the
 * redemption itself tells the secret.
 *
 * An answer of the service proves nothing, and a lost one harms nothing: Ballast redeems the payout
 * itself when the service does not.
 */
export const revealSecret: Performer = async (job) => {
  const { context, data, nowMs } = job
  const { hash: secretHash } = mustExist(data.ownSecret, "our own secret")
  const decisions = context.journal.listSecretDecisions(data.id)
  const isDecided = decisions.includes("reveal")
  if (mustExist(data.ownSecret, "our own secret").isShown === true) return followShown(job)
  const proof = await proveOrNull(job, isDecided)
  if (proof === null) return isDecided ? revealed(job.repeated, [UNPROVEN]) : keepSecret([UNPROVEN])
  if (proof.status !== "proven" && isDecided) return revealed(job.repeated, proof.reasons)
  if (proof.status === "unproven") return keepSecret(proof.reasons, proof.alerts)
  refuseIfGone(job)
  if (proof.status === "late") {
    const others = await readOthers(job)
    if (others === "know") return followShown(job)
    if (others === "unread") return keepSecret([...proof.reasons, SOURCE_UNREAD])
    refuseIfGone(job)
    context.journal.decideSecret({
      orderId: data.id,
      decision: "withhold",
      secretHash,
      atMs: nowMs,
    })
    return { event: { type: "secret.withheld", reasons: proof.reasons } }
  }
  const queue = isDecided || !proof.isForService ? [] : findLongQueue(job, proof)
  if (queue.length > 0) return keepSecret(queue)
  context.journal.decideSecret({ orderId: data.id, decision: "reveal", secretHash, atMs: nowMs })
  noteTelling(context, data.id, chainOf(data.request.to))
  await job.begin()
  await untilHere(context.journal)
  // Where only our key can redeem, the service could do nothing with the secret but take the
  // deposit.
  if (data.serviceOrder?.destination.delegate != null) return revealed(false, [])
  if (!proof.isForService) return revealed(job.repeated, [])
  return tellService(job, proof.secret)
}

/** The secret is no secret any more, so only a redemption helps. */
function followShown({ context, data, nowMs }: Job): WorkResult {
  const { hash: secretHash } = mustExist(data.ownSecret, "our own secret")
  // After a decision to withhold, or a refund, the claim of the redemption names the reason
  // instead.
  const decisions = context.journal.listSecretDecisions(data.id)
  if (decisions.length === 0 && !wasRefundSigned(data))
    context.journal.decideSecret({
      orderId: data.id,
      decision: "reveal",
      secretHash,
      atMs: nowMs,
    })
  return revealed(true, [])
}

/**
 * Whether others know the secret, by the source chain and the service. A journal that was restored
 * in this state may be older than the secret's reveal, and a decision to withhold is for good.
 */
async function readOthers(job: Job): Promise<"know" | "unread" | "unaware"> {
  const [source, order] = await Promise.all([readLegOrNull(job, "source"), readServiceOrder(job)])
  if (findShownSecret(job.data, order, source, null)) return "know"
  if (source === null && (await isDepositGone(job))) return "know"
  // A deposit that is not shown may be taken: a node without that history shows nothing.
  return source?.agreed === true && source.initiated !== null ? "unaware" : "unread"
}

/** The service's word only adds to what the chains show, so its silence decides nothing. */
async function readServiceOrder({ context, data }: Job): Promise<ServiceOrder | null> {
  const { orderId } = mustExist(data.created, "the created order")
  try {
    return await readInTime(context, `${data.id} service`, () =>
      serviceFor(context, data).fetchOrder(orderId),
    )
  } catch (error) {
    context.log.warn({ order: data.id, err: error }, "The service's order could not be read")
    return null
  }
}

export const revealSecretWork: WorkEntry<"revealSecret"> = {
  perform: revealSecret,
  lane: null,
  spends: true,
  whilePaused: runsWhilePaused,
  onRefused: () => "order.held",
  repeat:
    "Proves the payout again; the journal holds the decision, and the HTLC pays once, to its " +
    "redeemer (ADR 30).",
}

/**
 * `null` where the proof cannot be read. A decision that the journal has needs no proof. Without
 * one the order tries some times, and then goes back to the observation: its deposit may be
 * refundable, or taken.
 */
async function proveOrNull(job: Job, isDecided: boolean): Promise<PayoutProof | null> {
  try {
    return await provePayout(job)
  } catch (error) {
    const { disposition } = toAppError(error, {
      code: "engine.unexpected",
      disposition: "transient",
    })
    if (disposition === "aborted") throw error
    const isTriedEnough = disposition === "transient" && job.data.tries >= PROOF_TRIES
    if (!isDecided && !isTriedEnough) throw error
    job.noteUnread?.(error)
    job.context.log.warn(
      { order: job.data.id, err: error },
      "The payout could not be read for its proof",
    )
    return null
  }
}

const PROOF_TRIES = 3

const UNPROVEN: Reason = { code: "secret.payout_unread", message: "The payout cannot be read now" }

const SOURCE_UNREAD: Reason = {
  code: "secret.source_unread",
  message: "The source cannot be read now, so the decision to keep the secret for good waits",
}

function keepSecret(reasons: readonly Reason[], alerts: readonly Reason[] = []): WorkResult {
  const shown = alerts.length === 0 ? {} : { alerts }
  return { event: { type: "secret.kept", reasons: [...reasons, ...alerts], ...shown } }
}

async function tellService({ context, data, nowMs }: Job, secret: Secret): Promise<WorkResult> {
  const { orderId } = mustExist(data.created, "the created order")
  try {
    await serviceFor(context, data).revealSecret(orderId, secret, () =>
      isReadingFresh(nowMs, context.clock.now()),
    )
    return revealed(true, [])
  } catch (error) {
    const known = toAppError(error, { code: "engine.unexpected", disposition: "uncertain" })
    if (known.disposition === "aborted" || wasKeptHere(error)) throw error
    return revealed(true, [reasonOf(known)])
  }
}

function revealed(told: boolean, reasons: readonly Reason[]): WorkResult {
  return { event: { type: "secret.revealed", told, reasons } }
}
