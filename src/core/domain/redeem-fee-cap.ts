import { max, min } from "./amount.ts"
/**
 * With less than a third of the payout's lock left, a redemption may pay this many times the
 * configured fee cap.
 */
export const URGENT_FEE_FACTOR = 50n

/**
 * A redemption gets a higher fee at least so many times within the lock of its payout. Four of them
 * are in the last sixth of the lock, in which the fee may reach the worth of the payout.
 */
export const LOCK_BUMPS = 24n

/**
 * What a redemption is about, and the time that it has. `left` and `timelock` are in the
 * destination chain's own unit; `left` is `null` where the end of the lock is not known.
 * `worthUnits` is the payout in the chain's native coin, `null` without a price.
 */
export type RedeemStake = {
  readonly left: bigint | null
  readonly timelock: bigint
  readonly worthUnits: bigint | null
}

/**
 * The most that a redemption may pay, where `usualUnits` is the configured cap for it. Pure.
 *
 * From a third of the lock on it is `URGENT_FEE_FACTOR` times the usual cap. From there to a sixth
 * it rises evenly to the worth of the payout, and the last sixth is left to land at that fee. It
 * never passes the worth of the payout, but for the usual cap: a price that is too low must not
 * stop a redemption.
 */
export function redeemFeeCap(usualUnits: bigint, stake: RedeemStake | null): bigint {
  if (stake === null || !isNearLockEnd(stake)) return usualUnits
  const raised = usualUnits * URGENT_FEE_FACTOR
  const { worthUnits } = stake
  if (worthUnits === null) return raised
  return max(usualUnits, min(worthUnits, max(raised, shareOf(worthUnits, stake))))
}

/** At most a third of the lock is left, or its end is unknown: a higher cap. Pure. */
export function isNearLockEnd(lock: LockLeft): boolean {
  return isLockEnding(lock, 3n, true)
}

/**
 * More than half of the lock is left, so a redemption may wait for a node with an estimate. A
 * secret is told with half of the lock left at least; later a wait would leave too little of it for
 * a daemon that is down for a while. Pure.
 */
export function mayAwaitEstimate(lock: LockLeft | null): boolean {
  return lock === null || !isLockEnding(lock, 2n, true)
}

/**
 * At most one `part` of so many of a lock is left. `ifUnknown` is the answer where the end of the
 * lock is not known: a fee counts it as near, because a redemption must land, and an alarm or a
 * step that others may make instead waits for the end. Pure.
 */
export function isLockEnding(
  { left, timelock }: LockLeft,
  parts: bigint,
  ifUnknown: boolean,
): boolean {
  return left === null ? ifUnknown : left * parts <= timelock
}

type LockLeft = Pick<RedeemStake, "left" | "timelock">

/** Nothing with a third of the lock left, everything with a sixth left. */
function shareOf(worthUnits: bigint, { left, timelock }: RedeemStake): bigint {
  if (left === null) return 0n
  const part = max(0n, min(timelock, 2n * timelock - 6n * left))
  return timelock === 0n ? worthUnits : (worthUnits * part) / timelock
}
