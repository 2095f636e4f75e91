import type { LegObservation } from "#chains/port.ts"
import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import { present } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { payoutWorth } from "../payout-worth.ts"
import { destinationChain, type Job, sourceChain } from "./job.ts"

/** A quarter of the payout's lock is left: enough to win the race against the solver's refund. */
export function hasTimeToRedeem(timelock: bigint, { refundableAt, height }: LegObservation): boolean {
  return refundableAt !== null && (refundableAt - height) * 4n >= timelock
}

/** Less than a third of the payout's lock is left: a redemption may pay far more than the usual cap. */
export function isLockEnding(timelock: bigint, { refundableAt, height }: LegObservation): boolean {
  return refundableAt !== null && (refundableAt - height) * 3n < timelock
}

/** `null` while the lock does not end yet: then a redemption pays the configured cap at most. Pure. */
export function decideStake(data: OrderData, worthUnits: bigint | null, payout: LegObservation): RedeemStake | null {
  const { timelock } = present(data.serviceOrder, "the order read back").destination
  const { refundableAt, height } = payout
  if (refundableAt === null) return { left: null, timelock, worthUnits }
  return isLockEnding(timelock, payout) ? { left: refundableAt - height, timelock, worthUnits } : null
}

export async function readRedeemStake(job: Job): Promise<RedeemStake | null> {
  const destination = destinationChain(job)
  const payout = await destination.observeLeg({ ...destinationQuery(job.data, destination.traits), isExact: true })
  return decideStake(job.data, orderWorth(job), payout)
}

/** The payout's worth in the destination's native coin. The same whenever it is asked for, so that a plan and its signature agree. */
export function orderWorth({ context, data }: Job): bigint | null {
  const { to } = data.request
  const port = context.chains.get(chainOf(to))
  return port === undefined ? null : payoutWorth(data, context.settings.assets.get(to), port.traits.nativeCoin)
}

/**
 * Why our redemption may not be sent now: it would be the first to tell the secret, and it may lose the race against the solver's refund. A crash
 * between its signature and its sending can take that long. `null` where others may know the secret, and where time is left.
 */
export async function findLateRedemption(job: Job): Promise<Reason | null> {
  const { ownSecret, serviceOrder, transactions } = job.data
  const wasSent = transactions.redeem.sentAt !== null
  if (ownSecret == null || ownSecret.isTold || wasSent || serviceOrder === null) return null
  const [destination, source] = [destinationChain(job), sourceChain(job)]
  const payout = await destination.observeLeg({ ...destinationQuery(job.data, destination.traits), isExact: true })
  if (payout.refunded === null && hasTimeToRedeem(serviceOrder.destination.timelock, payout)) return null
  // The solver knows the secret, or the deposit is already back: nothing is left to lose by telling it.
  const deposit = await source.observeLeg(sourceQuery(job.data))
  if (deposit.redeemed !== null || deposit.refunded?.final === true) return null
  const message =
    "Too little of the payout's lock is left for our redemption to be the first to tell the secret; it is not sent"
  return { code: "secret.late", message, height: payout.height.toString() }
}
