import { max, min } from "./amount.ts"
import { isNearLockEnd, mayAwaitEstimate, type RedeemStake } from "./redeem-fee-cap.ts"

/**
 * The offer of an urgent transaction, as a function of time. Every family uses it. Pure.
 *
 * It rises from `startUnits` with nothing of the time passed to `endUnits` at its end, with the
 * cube of the time: the first blocks cost hardly more than the estimate, and only the last ones are
 * dear. Sweepers of Lightning nodes rise in the same way. It is never below `startUnits`.
 */
export function riseOffer(startUnits: bigint, endUnits: bigint, { passed, span }: Passed): bigint {
  const riseUnits = endUnits > startUnits ? endUnits - startUnits : 0n
  if (span <= 0n || passed >= span) return startUnits + riseUnits
  return passed <= 0n ? startUnits : startUnits + (riseUnits * passed ** 3n) / span ** 3n
}

/** `passed` of `span`, in any unit of time. */
type Passed = { readonly passed: bigint; readonly span: bigint }

/**
 * What to offer for a redemption with this much of its lock left, in any unit of a fee. Pure.
 *
 * - `estimateUnits`: the network's present fee, or the fee of the attempt that this one replaces;
 *   `null` where no node has an estimate. It can only raise the offer.
 * - `usualUnits`: the configured cap. `capUnits`: the most that may be paid now (`redeemFeeCap`).
 *
 * In the first two thirds of the lock the offer rises from the estimate to the configured cap, and
 * in the last third from there to the cap of an ending lock, which ends at the payout's worth.
 * `null`: nothing is known to start from, and the lock leaves time to wait for an estimate
 * (`mayAwaitEstimate`).
 */
export function redeemOffer(
  estimateUnits: bigint | null,
  { usualUnits, capUnits }: { readonly usualUnits: bigint; readonly capUnits: bigint },
  stake: RedeemStake | null,
): bigint | null {
  const startUnits = estimateUnits ?? 0n
  const knee = max(startUnits, usualUnits)
  if (stake === null || !isNearLockEnd(stake)) {
    if (stake?.left == null || (estimateUnits === null && mayAwaitEstimate(stake)))
      return estimateUnits
    const passed = { passed: 3n * (stake.timelock - stake.left), span: 2n * stake.timelock }
    return min(capUnits, riseOffer(startUnits, usualUnits, passed))
  }
  const { left, timelock } = stake
  if (left === null) return min(capUnits, knee)
  return min(capUnits, riseOffer(knee, capUnits, { passed: timelock - 3n * left, span: timelock }))
}

/**
 * What to offer for a refund or a void that no block has taken. Their fees never pass the
 * configured cap, and it is reached with the last of `RISE_ATTEMPTS` higher fees. Pure.
 */
export function rescueOffer(startUnits: bigint, capUnits: bigint, attempt: number): bigint {
  return riseOffer(startUnits, capUnits, { passed: BigInt(attempt), span: RISE_ATTEMPTS })
}

const RISE_ATTEMPTS = 6n

/**
 * The estimate for an urgent transaction from those of several nodes: the highest one, because a
 * low one keeps it out of every block. Above `trustedUnits`, the configured cap, one node's word is
 * not enough, so a lie costs at most that: there the lower middle counts. `null` without estimates.
 * Pure.
 */
export function urgentEstimate(estimates: readonly bigint[], trustedUnits: bigint): bigint | null {
  const usual = middle(estimates)
  return usual === null ? null : max(usual, min(estimates.reduce(max), trustedUnits))
}

/** The middle value, and the smaller one of two, so that one node cannot raise it to a cap. */
export function middle(values: readonly bigint[]): bigint | null {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}
