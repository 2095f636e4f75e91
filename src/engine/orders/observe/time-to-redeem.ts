import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { isLockEnding, LOCK_BUMPS, type RedeemStake } from "#domain/redeem-fee-cap.ts"
import { hasTimeToRedeem, leftOf, type PayoutLock } from "#domain/time-to-redeem.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { isRevealed } from "#order/guards.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { isLegUnread } from "../../watches/unread-legs.ts"
import { payoutWorth } from "../pay/payout-worth.ts"
import type { WorkResult } from "../stepper.ts"
import type { Job, Performer } from "./job.ts"
import { estimateLock } from "./payout-lock.ts"
import { readDatedOrNull, readLegOrNull, readPayoutLock } from "./read-leg.ts"

/** At most a third of the payout's lock is left: a redemption may pay far more than usual. */
export function isPayoutEnding(timelock: bigint, lock: PayoutLock): boolean {
  return isLockEnding({ left: leftOf(lock), timelock }, 3n, false)
}

/**
 * What the redemption is about. Its fee follows from the rest of the lock (`redeemFeeCap`,
 * `redeemOffer`), as it is when the next higher fee is due: an offer serves until then. Pure.
 */
export function decideStake(
  data: OrderData,
  worthUnits: bigint | null,
  payout: PayoutLock,
): RedeemStake {
  const { timelock } = mustExist(data.serviceOrder, "the order read back").destination
  const left = leftOf(payout)
  return { left: left === null ? null : left - timelock / LOCK_BUMPS, timelock, worthUnits }
}

/** `null`: no lock ends, so that the fee need not rise. */
export async function readRedeemStake(job: Job): Promise<RedeemStake | null> {
  if (job.data.serviceOrder === null) return null
  const { lock } = await readPayoutLock(job)
  return decideStake(job.data, orderWorth(job), lock)
}

/**
 * The most that our redemption may pay by the end of the payout's lock; `null` where none can be
 * made. Pure.
 */
export function endCapOf(job: Job, chain: Pick<ChainPort, "capRedeemFee">): bigint | null {
  const stake = decideStake(job.data, orderWorth(job), { refundableAt: 0n, height: 0n })
  return chain.capRedeemFee(job.data.request.to, stake)
}

/**
 * The payout's worth in the destination's native coin. The same whenever it is asked for, so that a
 * plan and its signature agree.
 */
export function orderWorth({ context, data }: Job): bigint | null {
  const { to } = data.request
  const port = context.chains.get(chainOf(to))
  return port === undefined
    ? null
    : payoutWorth(data, context.settings.assets.get(to), port.traits.nativeCoin)
}

/** The solver has refunded its payout, by agreement and for good. Pure. */
export function isTakenBack({ agreed, redeemed, refunded }: LegObservation): boolean {
  return agreed && redeemed === null && refunded?.final === true
}

/**
 * Performs a step of a transaction, unless the payout that it redeems is taken back, or, before the
 * first signature, is with us already: then nothing of it is tried any more, and the order's
 * observation tells the end. This reads nothing before the lock may be over, and before a plan is
 * old. A payout that cannot be read keeps only an old plan of a mint back: no lock ends for it, and
 * its order's observation plans it again.
 */
export async function unlessOver(
  job: Job,
  purpose: TransactionPurpose,
  perform: Performer,
): Promise<WorkResult> {
  const isOver = purpose === "redeem" && ((await isBackAtSolver(job)) || (await isWithUs(job)))
  return isOver ? { event: { type: "transaction.late" } } : perform(job)
}

async function isBackAtSolver(job: Job): Promise<boolean> {
  const isOpen = (leftOf(estimateLock(job.data, null, job.nowMs)) ?? 1n) > 0n
  if (!isRevealed(job.data) || isOpen) return false
  const { payout } = await readPayoutLock(job)
  return payout !== null && isTakenBack(payout)
}

/** Anyone may have sent a redemption since an old plan: a second one would only pay a fee. */
async function isWithUs(job: Job): Promise<boolean> {
  const { context, data, nowMs } = job
  const { plan, signed } = data.transactions.redeem
  const isOld = Math.abs(nowMs - data.stateSince) > FRESH_PLAN_MS
  if (plan === null || signed.length > 0 || !isOld) return false
  const isUnread = isLegUnread(context, data.id, "destination")
  const payout = isUnread ? null : await readLegOrNull(job, "destination")
  if (payout === null) return abilitiesOf(data).redeem === "voucher"
  return payout.agreed && payout.redeemed !== null
}

const FRESH_PLAN_MS = 10_000

/**
 * Why our redemption may not be sent now: it would be the first to tell the secret, and it may lose
 * the race against the solver's refund. A crash between its signature and its sending can take that
 * long. `null` where others may know the secret, and where time is left.
 */
export async function findLateRedemption(job: Job): Promise<Reason | null> {
  const { ownSecret, serviceOrder, transactions } = job.data
  const wasSent = transactions.redeem.sentAt !== null
  if (ownSecret == null || ownSecret.isTold || wasSent || serviceOrder === null) return null
  const { payout, lock: shown } = await readPayoutLock(job)
  // One endpoint alone may invent the payout's end, and its lock: then the known lock counts.
  const isAlone = payout?.agreed === false
  const lock = isAlone ? estimateLock(job.data, null, job.nowMs) : shown
  const isBack = payout !== null && payout.refunded !== null && !isAlone
  if (!isBack && hasTimeToRedeem(serviceOrder.destination.timelock, lock)) return null
  // The solver knows the secret, or the deposit is already back: nothing is left to lose by telling
  // it.
  const deposit = (await readDatedOrNull(job, "source"))?.value ?? null
  const isTaken = deposit?.agreed === true && deposit.redeemed !== null
  if (ownSecret.isShown === true || isTaken || deposit?.refunded?.final === true) return null
  const message =
    "Too little of the payout's lock is left for our redemption to be the first to tell the " +
    "secret; it is not sent"
  return { code: "secret.late", message, height: lock.height.toString() }
}
