import type { OrderPolicy } from "./order.ts"

/** How far the payout's lock is. `refundableAt` is `null` while its end is unknown. */
export type PayoutLock = { readonly refundableAt: bigint | null; readonly height: bigint }

/** `null` while the end is unknown. */
export function leftOf({ refundableAt, height }: PayoutLock): bigint | null {
  return refundableAt === null ? null : refundableAt - height
}

/** A quarter of the payout's lock is left: enough to win the race against the solver's refund. */
export function hasTimeToRedeem(timelock: bigint, lock: PayoutLock): boolean {
  const left = leftOf(lock)
  return left !== null && left * 4n >= timelock
}

/**
 * Two sevenths are left: a redemption that is the first to tell its secret is planned, signed and
 * sent before only a quarter is. One that is late then stays unsent, and its nonce is a gap.
 */
export function hasTimeToBegin(timelock: bigint, lock: PayoutLock): boolean {
  const left = leftOf(lock)
  return left !== null && left * 7n >= timelock * 2n
}

/**
 * How long the service has to redeem a payout whose secret it knows, before Ballast redeems it
 * itself.
 */
export const REDEEM_WAIT_MS = 30_000

/** Enough time is left when a redemption may need two fee bumps after the service's time. */
const BUMPS = 2

/**
 * At least half of the lock must be left to tell the service a secret, and the time for its
 * redemption and for our own with two fee bumps. `queueMs`: the redemptions before ours get their
 * nonces in this time, also while the service has its own. The time counts with the fastest
 * plausible blocks, because fast blocks end the lock early. Pure.
 */
export function hasTimeToTell(
  { timelocks, stuckAfterMs, redeemStuckAfterMs = stuckAfterMs }: OrderPolicy,
  timelock: bigint,
  left: bigint,
  queueMs = 0,
): boolean {
  const { fastestSeconds, secondsPerUnit } = timelocks.destination
  const leftMs = Number(left) * (fastestSeconds ?? secondsPerUnit) * 1_000
  const neededMs = Math.max(REDEEM_WAIT_MS, queueMs) + BUMPS * redeemStuckAfterMs
  return left * 2n >= timelock && leftMs >= neededMs
}
