import type { Reason } from "#domain/reason.ts"
import { LOCK_BUMPS } from "#domain/redeem-fee-cap.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import {
  isMortal,
  type MinedTransaction,
  type OrderData,
  type TransactionPurpose,
} from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isRevealed } from "#order/guards.ts"
import type { ChainPort } from "#ports/chain.ts"
import { isLegUnread, noteLegUnread } from "../../watches/unread-legs.ts"
import { findCompanion } from "../deposit/companion.ts"
import { foreseeAllowance } from "../deposit/read-allowance.ts"
import { stakeOf } from "../leg-queries.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { findEndingPayout, findUnreadAlarms, PAYOUT_ENDING } from "./find-alerts.ts"
import { findForeignRival, noteVoidOfMember } from "./find-foreign-rival.ts"
import {
  chainOfPurpose,
  deferWhileStopped,
  deferWork,
  isTooLate,
  type Job,
  leadsToDeposit,
  type Performer,
  sideOfPurpose,
  sourceChain,
} from "./job.ts"
import { estimateLock } from "./payout-lock.ts"
import { readInTime } from "./read-in-time.ts"
import { readLegOrNull, readPayoutLock } from "./read-leg.ts"
import { unlessOver } from "./time-to-redeem.ts"

/** Observes all attempts of a sent transaction at our own nodes. */
export function observeTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const chain = chainOfPurpose(job, kind)
    if (kind === "void") {
      const deposit = await observeAttempts(chain, job.data, "deposit")
      if (deposit.status === "mined")
        return withDoubts({ event: { type: "deposit.unsettled" } }, deposit)
    }
    if (kind === "approve") foreseeAllowance(job)
    const attempts = await readUnlessOutlived(job, chain, kind)
    if (attempts === null)
      return withDoubts(
        { event: { type: "transaction.stuck" } },
        { doubts: findUnreadAlarms(job, job.data.seen) },
      )
    const alarms = await findLegAlarms(job, kind)
    const seen =
      alarms.length === 0
        ? attempts
        : { ...attempts, doubts: [...(attempts.doubts ?? []), ...alarms] }
    if (
      kind === "approve" &&
      isTooLate(job) &&
      (seen.status === "pending" || seen.status === "unseen")
    )
      return withDoubts({ event: { type: "transaction.late" } }, seen)
    const early = seen.status === "unseen" ? answerUnseen(job, kind) : null
    if (early !== null) return withDoubts(early, seen)
    if (kind === "deposit") noteDeposited(job, seen)
    if (seen.status !== "pending") return reportObservation(job, kind, seen)
    // A node keeps a transaction that waits for the nonce before it. Both are sent again.
    if (await isCompanionUnseen(job, chain, kind))
      return withDoubts({ event: { type: "transaction.unseen" } }, seen)
    // A pending deposit meets a deadline that asks only that the service can see it. On other
    // chains a late deposit would only wait for its refund.
    if (kind === "deposit" && chain.traits.deadlineAsksFor === "mined" && isTooLate(job))
      return withDoubts({ event: { type: "transaction.late" } }, seen)
    return isStuck(job, kind, isShownByOne(seen))
      ? withDoubts({ event: { type: "transaction.stuck" } }, seen)
      : toWorkResult(seen)
  }
}

/** The endpoints agree on its block: this is a look at the source, and nothing is paid yet. */
function noteDeposited({ context, data, nowMs }: Job, seen: AttemptObservation): void {
  const isShown = seen.status === "mined" && seen.ok && seen.isAlone !== true
  if (isShown) context.memory.legReads.set(data.id, nowMs)
}

/** `null`: no node answers, and a higher fee is due all the same. */
async function readUnlessOutlived(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<AttemptObservation | null> {
  try {
    const seen = await readAttempts(job, chain, kind)
    const isOpen = seen.status === "unseen" || seen.status === "pending"
    return isOpen && isOutlived(job, kind, isShownByOne(seen))
      ? withDoubtsOf(seen, outlived(job, kind))
      : seen
  } catch (error) {
    if (isOutlived(job, kind)) return outlived(job, kind)
    if (isRaisedUnread(job, kind)) return null
    throw error
  }
}

function withDoubtsOf(from: AttemptObservation, seen: AttemptObservation): AttemptObservation {
  return from.doubts === undefined ? seen : { ...seen, doubts: from.doubts }
}

/** `null`: the absence counts, and the same bytes are sent again. */
function answerUnseen(job: Job, kind: TransactionPurpose): WorkResult | null {
  if (wasJustSent(job, kind)) return deferWork(job.data.reasons, SPREADING_MS)
  // Nodes may take bytes and drop them again for their fee.
  const isKnown = (job.data.transactions[kind].waitsSince ?? null) !== null
  const isDropped = isKnown && !leadsToDeposit(kind) && isStuck(job, kind)
  return isDropped ? { event: { type: "transaction.stuck" } } : null
}

async function isCompanionUnseen(
  job: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<boolean> {
  if (wasJustSent(job, kind)) return false
  const companion = findCompanion(job.data, kind)
  return (
    companion !== null &&
    (await observeAttempts(chain, job.data, companion.purpose)).status === "unseen"
  )
}

/** A node may hear of a transaction this much later than the one that accepted it. */
const SPREADING_MS = 1_000

/** Its absence at one node means nothing yet. */
function wasJustSent({ data, nowMs }: Job, kind: TransactionPurpose): boolean {
  const { sentAt } = data.transactions[kind]
  return sentAt !== null && nowMs >= sentAt && nowMs - sentAt < SPREADING_MS
}

/**
 * No other work observes a leg while a transaction of ours for it waits for a block. A failed read
 * delays nothing. A deposit is read only when its chain did not answer before.
 */
async function findLegAlarms(job: Job, kind: TransactionPurpose): Promise<readonly Reason[]> {
  if (kind === "redeem") {
    const { payout, lock } = await readPayoutLock(job)
    return [...findEndingPayout(job, payout, lock), ...findUnreadAlarms(job, job.data.seen)]
  }
  if (!isLegUnread(job.context, job.data.id, "source")) return []
  await readLegOrNull(job, "source")
  return findUnreadAlarms(job, job.data.seen)
}

/**
 * A transaction may wait for its plan, its signature or a node, and nothing else observes its leg
 * meanwhile.
 */
export function warnOfDelay(job: Job, result: WorkResult): WorkResult {
  const { event } = result
  if (event.type !== "work.deferred") return result
  const unread = withDoubts(result, { doubts: findUnreadAlarms(job, job.data.seen) })
  if (job.data.alerted.includes(PAYOUT_ENDING)) return unread
  const lock = estimateLock(job.data, null, job.nowMs)
  return withDoubts(unread, { doubts: findEndingPayout(job, null, lock, event.reasons[0]) })
}

export const observeTransactionWork: WorkEntry<"observeTransaction"> = {
  perform: (job, { purpose }) => unlessOver(job, purpose, observeTransaction(purpose)),
  lane: null,
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
}

/**
 * `isDoubted`: one endpoint alone shows it in a block, so no other may know its bytes.
 * `isUnproven`: excluded by the time alone.
 */
export type AttemptObservation = TransactionObservation & {
  readonly txid: string
  readonly isDoubted?: true
  readonly isUnproven?: true
}

/**
 * One observation for all attempts: a mined attempt decides, and none counts as excluded while
 * another may still land. `doubts`: those of every attempt.
 */
export async function observeAttempts(
  chain: ChainPort,
  data: OrderData,
  purpose: TransactionPurpose,
): Promise<AttemptObservation> {
  const [newest, ...older] = data.transactions[purpose].signed.toReversed()
  if (newest === undefined) return { status: "unseen", txid: "" }
  const observe = async (transaction: SignedTransaction): Promise<AttemptObservation> => ({
    ...unlessAlone(purpose, await chain.observeTransaction(transaction, stakeOf(data))),
    txid: transaction.txid,
  })
  const last = await observe(newest)
  // Without a common nonce an older attempt may have succeeded, for which this one failed.
  const isSure = last.status === "mined" && (last.ok || !isMortal(newest))
  // At a slow node each attempt would delay the next fee, so the older ones are asked for at once.
  const rest = isSure ? [] : await Promise.all(older.map(observe))
  const order = ["mined", "pending", "unseen", "excluded"]
  const rankOf = (one: AttemptObservation): number =>
    one.status === "mined" && one.ok ? -1 : order.indexOf(one.status)
  const doubts = [last, ...rest].flatMap((one) => one.doubts ?? [])
  const first = [last, ...rest].reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best))
  return { ...first, ...(doubts.length > 0 ? { doubts } : {}) }
}

/**
 * One endpoint alone may invent the block of a refund or redemption, which then would get no higher
 * fee: it waits on.
 */
function unlessAlone(purpose: TransactionPurpose, seen: TransactionObservation) {
  if (!spendsHtlc(purpose) || seen.status !== "mined" || seen.isAlone !== true) return seen
  const { doubts } = seen
  const waiting = { status: "pending", isDoubted: true } as const
  return doubts === undefined ? waiting : { ...waiting, doubts }
}

/** One endpoint alone shows the bytes in a block. */
function isShownByOne(seen: AttemptObservation): boolean {
  return seen.status === "pending" && seen.isDoubted === true
}

/** No step of it waits for an answer: the lock of its payout does not. */
export function isToldRedemption(kind: TransactionPurpose, data: OrderData): boolean {
  return kind === "redeem" && isRevealed(data)
}

/**
 * As `observeAttempts`, for a step that waits for the answer, which comes in `READ_WAIT_MS`: a lock
 * does not wait for a silent node. Without an answer the leg counts as unread. Throws `read.late`.
 */
export async function readAttempts(
  { context, data }: Job,
  chain: ChainPort,
  kind: TransactionPurpose,
): Promise<AttemptObservation> {
  const key = `${data.id} ${kind} ${data.transactions[kind].signed.length}`
  try {
    return await readInTime(context, key, () => observeAttempts(chain, data, kind))
  } catch (error) {
    if (kind !== "approve" && kind !== "revoke")
      noteLegUnread(context, data, sideOfPurpose(kind), error)
    throw error
  }
}

/** So many waits for a higher fee are longer than the life of such bytes in any usual lock. */
const LIVES = 3

/**
 * The bytes of a told secret's redemption expire, and their time is over, but the endpoints do not
 * prove it: one of them is silent or lies. The lock does not wait for that proof. Nor does a refund
 * that one endpoint alone shows in a block (`isLone`). A second transaction costs its fee at most,
 * and the HTLC pays once.
 */
export function isOutlived(job: Job, kind: TransactionPurpose, isLone = false): boolean {
  const { data, nowMs } = job
  const { sentAt, signed, waitsSince } = data.transactions[kind]
  if (!isReplannedByTime(kind, data, isLone)) return false
  const since = waitsSince ?? sentAt ?? data.stateSince
  return Math.abs(nowMs - since) > LIVES * bumpWaitMs(data, kind, signed.length)
}

/** No higher fee is possible for such bytes: the next plan has one. */
export function mayExpire({ transactions }: OrderData, kind: TransactionPurpose): boolean {
  const last = transactions[kind].signed.at(-1)
  return last !== undefined && isMortal(last)
}

function isReplannedByTime(kind: TransactionPurpose, data: OrderData, isLone: boolean): boolean {
  const isDue = isToldRedemption(kind, data) || (isLone && kind === "refund")
  return isDue && mayExpire(data, kind)
}

export function outlived({ data }: Job, kind: TransactionPurpose): AttemptObservation {
  const txid = data.transactions[kind].signed.at(-1)?.txid ?? ""
  return { status: "excluded", by: "expired", final: true, txid, isUnproven: true }
}

/** The result, with the contradictions between endpoints that the observation met. */
export function withDoubts(
  result: WorkResult,
  { doubts = [] }: { readonly doubts?: readonly Reason[] },
): WorkResult {
  if (doubts.length === 0) return result
  return {
    ...result,
    event: { ...result.event, doubts: [...(result.event.doubts ?? []), ...doubts] },
  }
}

/**
 * The event for an observation. When the transaction is over, the event also carries its rival if
 * that landed after all: the approval behind a revocation, or the void behind a deposit. No later
 * work observes the rival, so this event books its fee.
 *
 * A rival that Ballast did not sign releases nothing: the order is held. The input of a Bitcoin
 * refund may be spent by the service's redemption, and that of our redemption by the solver's
 * refund, so the order then reads the HTLC again.
 *
 * Once the transaction is over, so is its rival: it had the same nonce or input, or the nonce
 * before. A node that shows the rival neither finally mined nor finally excluded is behind, and the
 * order observes again.
 */
export async function reportObservation(
  job: Job,
  kind: TransactionPurpose,
  seen: AttemptObservation,
): Promise<WorkResult> {
  if (seen.status === "excluded" && seen.final && seen.isVoid) noteVoidOfMember(job, kind, seen.by)
  const foreign =
    seen.status === "excluded" && !spendsHtlc(kind) ? findForeignRival(job, kind, seen.by) : null
  // One endpoint alone may invent a rival, so the alarm too waits for a final one.
  if (foreign !== null && seen.status === "excluded" && seen.final)
    return withDoubts({ event: { type: "order.held", reasons: [foreign], excluded: kind } }, seen)
  const result = toWorkResult(seen)
  const { event } = result
  if (event.type !== "transaction.mined" && event.type !== "transaction.excluded") return result
  const rival = rivalOf(job, kind, event)
  if (rival === null) return result
  const rivalSeen = await observeAttempts(sourceChain(job), job.data, rival)
  const isBehind = rivalSeen.status === "pending" || rivalSeen.status === "unseen"
  if (isBehind || !rivalSeen.final) return withDoubts(deferWork(job.data.reasons), seen)
  if (rivalSeen.status === "excluded" && job.data.mined.some(({ purpose }) => purpose === rival))
    return withDoubts(reportLostRival(job, rival, rivalSeen, event), rivalSeen)
  const landed = landedTransaction(rival, rivalSeen)
  return withDoubts(landed === null ? result : { event: { ...event, landed } }, rivalSeen)
}

/** Another party may close the HTLC that the transaction would close. */
export function spendsHtlc(kind: TransactionPurpose): boolean {
  return kind === "refund" || kind === "redeem"
}

/**
 * A block had shown the rival, and another transaction has its nonce now: its fee was never paid.
 */
function reportLostRival(
  job: Job,
  rival: TransactionPurpose,
  { by, final }: Extract<AttemptObservation, { status: "excluded" }>,
  event: OverEvent,
): WorkResult {
  if (!final) return deferWork(job.data.reasons)
  const foreign = findForeignRival(job, rival, by)
  if (foreign !== null)
    return { event: { type: "order.held", reasons: [foreign], excluded: rival } }
  return { event: { ...event, excluded: rival } }
}

/**
 * The second transaction to observe when this one is over. `null` when it is fully known, or when a
 * block cannot hold both.
 */
function rivalOf(
  { data }: Job,
  kind: TransactionPurpose,
  event: OverEvent,
): TransactionPurpose | null {
  const rival = kind === "revoke" ? "approve" : kind === "deposit" ? "void" : null
  const isMined = event.type === "transaction.mined"
  if (rival === null || (isMined && !event.final)) return null
  const { signed } = data.transactions[rival]
  const isBooked = signed.some(({ txid }) =>
    data.mined.some((one) => one.txid === txid && one.final),
  )
  if (isBooked || signed.length === 0) return null
  // One nonce or input is used once: no answer about the rival counts against a final block.
  return isMined && sharesResource(data, kind, event.txid, signed) ? null : rival
}

type OverEvent = Extract<UntimedOrderEvent, { type: "transaction.mined" | "transaction.excluded" }>

/** Do the transaction and one of the others exclude each other? */
function sharesResource(
  { transactions }: OrderData,
  kind: TransactionPurpose,
  txid: string,
  others: readonly SignedTransaction[],
): boolean {
  const used = transactions[kind].signed.find((one) => one.txid === txid)?.plan.resources ?? []
  return others.some(({ plan }) => plan.resources.some((resource) => used.includes(resource)))
}

export function landedTransaction(
  kind: TransactionPurpose,
  seen: AttemptObservation,
): MinedTransaction | null {
  if (seen.status !== "mined") return null
  const { txid, ok, height, final, feeUnits, heldUnits = 0n } = seen
  return { purpose: kind, txid, ok, height, final, feeUnits, heldUnits }
}

export function toWorkResult(seen: AttemptObservation): WorkResult {
  return withDoubts({ event: toEvent(seen) }, seen)
}

function toEvent(seen: AttemptObservation): UntimedOrderEvent {
  switch (seen.status) {
    case "mined": {
      const { txid, ok, height, seen: isSeen = seen.final, final, feeUnits, heldUnits = 0n } = seen
      return {
        type: "transaction.mined",
        txid,
        ok,
        height,
        seen: isSeen,
        final,
        feeUnits,
        heldUnits,
      }
    }
    case "pending":
      return { type: "transaction.pending" }
    case "unseen":
      return { type: "transaction.unseen" }
    case "excluded":
      return seen.final
        ? { type: "transaction.excluded", by: seen.by, ...unproven(seen) }
        : { type: "transaction.pending" }
  }
}

function unproven({ isUnproven }: AttemptObservation): { readonly unproven?: true } {
  return isUnproven === true ? { unproven: true } : {}
}

/**
 * A fee bump needs a new signature, so during a pause a deposit waits for its block with its
 * present fee. A time after now was written before the clock was set back.
 */
function isStuck(job: Job, kind: TransactionPurpose, isLone = false): boolean {
  const { data, nowMs } = job
  const { sentAt, signed, waitsSince } = data.transactions[kind]
  if (leadsToDeposit(kind) && deferWhileStopped(job) !== null) return false
  if (isReplannedByTime(kind, data, isLone)) return false
  const since = waitsSince ?? sentAt
  return since !== null && Math.abs(nowMs - since) > bumpWaitMs(data, kind, signed.length)
}

/**
 * The lock of a payout does not wait for a node that answers no read: a told secret's redemption
 * gets its higher fee by the time alone. No two of its transactions pay.
 */
function isRaisedUnread(job: Job, kind: TransactionPurpose): boolean {
  const isOpen = job.data.transactions.redeem.mined === null
  return isToldRedemption(kind, job.data) && isOpen && isStuck(job, kind)
}

/**
 * The lock of a payout does not wait: its redemption gets a higher fee at least `LOCK_BUMPS` times
 * within the lock, each time after the same wait.
 */
export function bumpWaitMs(
  { policy, serviceOrder }: Job["data"],
  kind: TransactionPurpose,
  attempts: number,
): number {
  const { stuckAfterMs, redeemStuckAfterMs = stuckAfterMs } = policy
  if (kind !== "redeem" || serviceOrder === null) return stuckAfterMs * attempts
  const lockMs =
    Number(serviceOrder.destination.timelock) * policy.timelocks.destination.secondsPerUnit * 1_000
  return Math.min(redeemStuckAfterMs, lockMs / Number(LOCK_BUMPS))
}
