import type { PayoutLock } from "#domain/time-to-redeem.ts"
import type { KnownLock, OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"

/**
 * The lock as the payout shows it; its last known state where this observation shows none, or shows
 * it without agreement.
 */
export function keepLock(
  data: OrderData,
  payout: LegObservation | null,
  nowMs: number,
): KnownLock | undefined {
  const known = data.seen.payoutLock
  const refundableAt = payout?.refundableAt ?? null
  if (payout === null || refundableAt === null || (!payout.agreed && known !== undefined))
    return known
  return { refundableAt, height: payout.height, readAt: nowMs }
}

/**
 * The lock of a payout that cannot be read now. Its end is known from an earlier observation; the
 * chain's height, or the time with the fastest plausible blocks, tells how near it is. Pure.
 */
export function estimateLock(
  data: OrderData,
  headHeight: bigint | null,
  nowMs: number,
): PayoutLock {
  const { payoutLock: known, destinationInitiated } = data.seen
  if (known === undefined) {
    const timelock = data.serviceOrder?.destination.timelock ?? null
    const isKnown = destinationInitiated !== null && timelock !== null && headHeight !== null
    return isKnown
      ? { refundableAt: destinationInitiated.height + timelock, height: headHeight }
      : { refundableAt: null, height: headHeight ?? 0n }
  }
  if (headHeight !== null) return { refundableAt: known.refundableAt, height: headHeight }
  return growLock(data, known, Math.max(0, nowMs - known.readAt))
}

/** A lock that was read so long ago, with the fastest plausible blocks since then. Pure. */
export function growLock(
  { policy }: Pick<OrderData, "policy">,
  { refundableAt, height }: PayoutLock,
  ageMs: number,
): PayoutLock {
  const { fastestSeconds, secondsPerUnit } = policy.timelocks.destination
  const grown = ageMs / 1_000 / (fastestSeconds ?? secondsPerUnit)
  return { refundableAt, height: height + BigInt(Math.floor(grown)) }
}
