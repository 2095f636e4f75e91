import { chainOf } from "#domain/asset.ts"
import { MOST_OTHERS } from "#domain/key-use.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import { hasTimeToBegin, hasTimeToTell, leftOf, type PayoutLock } from "#domain/time-to-redeem.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import { type OrderData, wasRefundSigned } from "#order/data.ts"
import { isRevealed } from "#order/guards.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { mayPrecedeJournal } from "../../watches/first-heights.ts"
import { findMissingSpace } from "../../watches/journal-space.ts"
import { findChangedContracts } from "../deposit/check-contracts.ts"
import { payoutOf } from "../leg-queries.ts"
import { deriveOwnSecret, textOf } from "../pay/own-secret.ts"
import {
  paysFromPayout,
  readLeastBalance,
  redeemReserve,
  reservedFee,
} from "../pay/redeem-reserve.ts"
import { describeBlocked, findUnpayable } from "./find-blocked-payout.ts"
import { destinationChain, type Job, refuseIfGone } from "./job.ts"
import { growLock } from "./payout-lock.ts"
import { readExactPayout } from "./read-leg.ts"
import { endCapOf } from "./time-to-redeem.ts"

/**
 * `proven`: our own nodes agree that exactly the verified HTLC is funded, deep enough to tell a
 * secret, and that Ballast can still redeem it itself. `isForService`: there is time to tell the
 * service first. `late`: it is funded, and too little of its lock is left. `unproven`: anything
 * else.
 */
export type PayoutProof =
  | ProvenPayout
  | { readonly status: "late"; readonly reasons: readonly Reason[] }
  | {
      readonly status: "unproven"
      readonly reasons: readonly Reason[]
      /** The payout cannot reach its owner, or not by our hand, so an operator must know. */
      readonly alerts: readonly Reason[]
    }

/** `readMs`: the look at the payout took so long. */
export type ProvenPayout = {
  readonly status: "proven"
  readonly secret: Secret
  readonly isForService: boolean
  readonly lock: PayoutLock
  readonly readMs: number
}

export async function provePayout(job: Job): Promise<PayoutProof> {
  const { data } = job
  const destination = destinationChain(job)
  const { value: leg, sinceMs, answeredMs } = await readExactPayout(job)
  const secret = deriveOwnSecret(job.context.settings.ownSecrets, data)
  const lock = growLock(data, leg, Math.abs(job.context.clock.now() - answeredMs))
  // One endpoint alone may invent a height, and a secret that is withheld stays so.
  const late = leg.agreed && !mayRedeem(job, leg, lock) ? describeLate(data, lock) : null
  const reasons = [
    ...judgePayout(data, leg),
    ...(secret === null ? [NO_KEY] : []),
    ...(wasRefundSigned(data) ? [REFUND_SIGNED] : []),
    ...(await findChangedContracts(job)),
  ]
  if (late !== null && reasons.length === 0) return { status: "late", reasons: [late] }
  if (reasons.length > 0 || secret === null) return unproven(late !== null, reasons)
  const unpayable = await findUnpayable(job, destination)
  const missing = [...unpayable, ...(await findObstacles(job, destination))]
  const readMs = Math.abs(answeredMs - sinceMs)
  if (missing.length === 0)
    return { status: "proven", secret, isForService: mayTell(data, lock), lock, readMs }
  const isLasting = job.nowMs - (data.seen.destinationInitiated?.at ?? job.nowMs) >= OBSTACLE_MS
  return unproven(late !== null, missing, describeBlocked(job, isLasting ? missing : unpayable))
}

/** An obstacle of our own may pass, as while the signer starts again. */
const OBSTACLE_MS = 60_000

function unproven(
  isLate: boolean,
  reasons: readonly Reason[],
  alerts: readonly Reason[] = [],
): PayoutProof {
  return isLate ? { status: "late", reasons } : { status: "unproven", reasons, alerts }
}

/** Why our own redemption could not be made now. */
async function findObstacles(job: Job, destination: ChainPort): Promise<readonly Reason[]> {
  const { to } = job.data.request
  const space = findMissingSpace(job.context)
  const feeUnits = await destination.estimateRedeemFee(to)
  if (feeUnits === null) return [...space, UNREDEEMABLE]
  const eachUnits = reservedFee(destination, to, feeUnits)
  const gas = await findMissingGas(job, destination, eachUnits)
  const headroom = await findMissingHeadroom(
    job,
    destination,
    dearestFee(job, destination, eachUnits),
  )
  return [...space, ...gas, ...headroom]
}

const UNREDEEMABLE: Reason = {
  code: "secret.unredeemable",
  message: "Ballast cannot redeem this payout itself",
}

/** Pure: the facts for which the secret stays ours. */
function judgePayout({ terms }: OrderData, leg: LegObservation): Reason[] {
  const { agreed, initiated, redeemed, refunded, refundableAt } = leg
  const expected = mustExist(terms, "the order's terms").destinationUnits
  if (initiated === null)
    return [
      {
        code: "secret.payout_missing",
        message: "No payout with the verified terms is on the destination chain",
      },
    ]
  const isDeep = initiated.revealable && agreed
  return [
    ...(isDeep
      ? []
      : [
          {
            code: "secret.payout_young",
            message: "The payout is not deep enough to tell the secret yet",
          },
        ]),
    ...(initiated.units === expected
      ? []
      : [
          {
            code: "secret.payout_units",
            message: "The payout has another amount than the order",
            expected: expected.toString(),
            found: initiated.units.toString(),
          },
        ]),
    ...(redeemed === null && refunded === null && refundableAt !== null
      ? []
      : [
          {
            code: "secret.payout_closed",
            message: "The payout is closed already, or its lock is unknown",
          },
        ]),
  ]
}

/**
 * There is time for the payout's redemption. Where the secret may have left without a word in this
 * journal, only our redemption saves the payout, so it may be the first to tell it.
 */
function mayRedeem(
  { context, data }: Job,
  { initiated }: LegObservation,
  lock: PayoutLock,
): boolean {
  if (lock.refundableAt === null || mayTell(data, lock)) return true
  return (
    initiated !== null &&
    mayPrecedeJournal(context, chainOf(data.request.to), initiated.height) &&
    hasTimeToBegin(timelockOf(data), lock)
  )
}

function mayTell(data: OrderData, lock: PayoutLock): boolean {
  const left = leftOf(lock)
  return left !== null && hasTimeToTell(data.policy, timelockOf(data), left)
}

function timelockOf({ serviceOrder }: OrderData): bigint {
  return mustExist(serviceOrder, "the order read back").destination.timelock
}

function describeLate(data: OrderData, lock: PayoutLock): Reason {
  const message =
    "Too little of the payout's lock is left to redeem it safely, so the secret is not told; " +
    "the deposit waits for its refund"
  return {
    code: "secret.late",
    message,
    leftBlocks: `${leftOf(lock)}`,
    timelock: timelockOf(data).toString(),
  }
}

/**
 * The fee that our redemption may come to offer when fees rise after the secret is told: the
 * reserve of one order, and never more than its cap at the end of the lock. Pure.
 */
function dearestFee(job: Job, destination: ChainPort, reservedUnits: bigint): bigint {
  const capUnits = endCapOf(job, destination)
  return capUnits !== null && capUnits < reservedUnits ? capUnits : reservedUnits
}

/**
 * Without gas on the destination chain Ballast could not redeem the payout itself. The whole
 * reserve must be there, as at the deposit: for every order in flight, and for fees that rise after
 * the secret is told.
 */
async function findMissingGas(
  { context }: Job,
  destination: ChainPort,
  eachUnits: bigint,
): Promise<readonly Reason[]> {
  if (paysFromPayout(destination)) return []
  const orders = Math.max(1, context.journal.countPaidOn(destination.chain))
  const leastUnits = await readLeastBalance(destination)
  return judgeGas(destination, redeemReserve(orders, eachUnits, leastUnits))
}

/**
 * A signer that would refuse the redemption, or does not answer, must refuse before the secret is
 * told. The limits must allow it beside the redemptions of the other orders in flight there.
 */
async function findMissingHeadroom(
  { context, data }: Job,
  { chain }: ChainPort,
  feeUnits: bigint,
): Promise<readonly Reason[]> {
  const ask = context.keyRecord?.askHeadroom
  if (ask === undefined) return []
  const { hash: secretHash } = mustExist(data.ownSecret, "our own secret")
  const others = Math.min(MOST_OTHERS, Math.max(1, context.journal.countPaidOn(chain)) - 1)
  try {
    await ask({ order: data.id, chain, secretHash, feeUnits, others })
    return []
  } catch (error) {
    const known = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
    if (known.disposition === "aborted") throw error
    const message =
      "Ballast keeps its secret, because the signer would not sign its redemption: " +
      `${known.message}`
    return [{ code: "secret.no_headroom", message, cause: known.code }]
  }
}

/** The reason why a secret stays ours when the wallet has less coin than this on the chain. */
export async function judgeGas(chain: ChainPort, neededUnits: bigint): Promise<readonly Reason[]> {
  const coin = mustExist(chain.native, "the balance of a coin that pays redemptions")
  const units = await coin.fetchNativeBalance()
  if (units >= neededUnits) return []
  const message =
    `Ballast keeps its secret, because ${chain.account} on ${chain.chain} has too little gas ` +
    "for its redemptions: top it up"
  return [
    { code: "secret.no_gas", message, needed: neededUnits.toString(), found: units.toString() },
  ]
}

const NO_KEY: Reason = {
  code: "secret.key_changed",
  message:
    "The configured key does not give this order's secret: configure the key that it was " +
    "created with",
}
const REFUND_SIGNED: Reason = {
  code: "secret.refund_signed",
  message: "A refund was signed, so the secret is never told",
}

/** The payout and its secret, for a redemption of our own. */
export function payoutWithSecret(job: Job): { readonly payout: Payout; readonly secret: string } {
  const { data } = job
  const secret = deriveOwnSecret(job.context.settings.ownSecrets, data)
  if (secret === null || !isRevealed(data))
    throw new AppError({
      code: NO_KEY.code,
      disposition: "hold",
      message: NO_KEY.message,
      details: { order: data.id },
    })
  return { secret: textOf(secret), payout: payoutOf(data, destinationChain(job).traits) }
}

/**
 * Records that the payout of a revealed secret is finally back at the solver; only then the journal
 * lets a refund be signed. Throws `secret.payout_open` (transient) while our nodes do not prove it.
 */
export async function recordLostPayout(job: Job): Promise<void> {
  const { context, data, nowMs } = job
  const known = context.journal.listSecretDecisions(data.id)
  if (data.ownSecret == null || !known.includes("reveal") || known.includes("lost")) return
  const { value: leg } = await readExactPayout(job)
  const isLost = leg.agreed && leg.refunded?.final === true && leg.redeemed === null
  if (!isLost)
    throw new AppError({
      code: "secret.payout_open",
      disposition: "transient",
      message:
        "The order's secret is revealed, and our nodes do not prove that the payout is lost; " +
        "no refund is signed",
      details: { order: data.id },
    })
  refuseIfGone(job)
  context.journal.decideSecret({
    orderId: data.id,
    decision: "lost",
    secretHash: data.ownSecret.hash,
    atMs: nowMs,
  })
}
