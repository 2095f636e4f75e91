/**
 * The costs of an order that its quote does not show: the fee of its deposit, the fee of a refund
 * by its probability, and the money that is locked meanwhile. Planner and admission both count them
 * with these functions, in fiat millionths and rounded up (ADR 28).
 */
export type OrderRisk = {
  /** The probability of a refund, in millionths. */
  readonly refundPpm: bigint
  /** The cost of the locked money, in billionths of the sold value. */
  readonly lockPpb: bigint
}

/**
 * The highest network fees of the deposit with its approval and of a refund, in fiat millionths;
 * zero without an estimate.
 */
export type OwnFees = {
  readonly depositFiat: bigint
  readonly refundFiat: bigint
  /** Of our own transaction that takes the payout of a route; absent for a service. */
  readonly redeemFiat?: bigint
}

export const PPB = 1_000_000_000n
const PPM = 1_000_000n

/** The part that depends on the sold value comes on top of the fixed part. */
export function extraCostFiat(
  { depositFiat, refundFiat, redeemFiat = 0n }: OwnFees,
  sourceFiat: bigint,
  risk: OrderRisk,
): bigint {
  const expectedFiat = depositFiat + redeemFiat + expectedRefundFiat(refundFiat, risk)
  return expectedFiat + lockedFiat(sourceFiat, risk)
}

/** The fee of a refund times its probability. */
export function expectedRefundFiat(
  refundFiat: bigint,
  { refundPpm }: Pick<OrderRisk, "refundPpm">,
): bigint {
  return divideUp(refundFiat * refundPpm, PPM)
}

export function lockedFiat(sourceFiat: bigint, { lockPpb }: Pick<OrderRisk, "lockPpb">): bigint {
  return divideUp(sourceFiat * lockPpb, PPB)
}

/** Before the first order of a pair, one deposit of a hundred counts as refunded. */
const PRIOR = { refunded: 1n, deposits: 100n }
const SWAP_SECONDS = 3_600n
const YEAR_SECONDS = 31_536_000n

/**
 * The probability from the latest deposits of the pair, with a prior that a hundred real ones
 * outweigh; it never reaches zero. The money is locked for an hour while the swap runs, and for the
 * longest timelock where it is refunded.
 */
export function deriveRisk(
  { completed, refunded }: { readonly completed: number; readonly refunded: number },
  { capitalBps, lockSeconds }: { readonly capitalBps: bigint; readonly lockSeconds: bigint },
): OrderRisk {
  const deposits = BigInt(completed + refunded) + PRIOR.deposits
  const refundPpm = divideUp((BigInt(refunded) + PRIOR.refunded) * PPM, deposits)
  const seconds = SWAP_SECONDS + divideUp(lockSeconds * refundPpm, PPM)
  return { refundPpm, lockPpb: lockPpbOf(capitalBps, seconds) }
}

/** A route refunds nothing, and locks the money for its usual time; an hour if it names none. */
export function riskOfRoute(
  { estimatedSeconds }: { readonly estimatedSeconds: number | null },
  { capitalBps = 0n }: { readonly capitalBps?: bigint },
): OrderRisk {
  const seconds = estimatedSeconds === null ? SWAP_SECONDS : BigInt(estimatedSeconds)
  return { refundPpm: 0n, lockPpb: lockPpbOf(capitalBps, seconds) }
}

function lockPpbOf(capitalBps: bigint, seconds: bigint): bigint {
  return divideUp(capitalBps * (PPB / 10_000n) * seconds, YEAR_SECONDS)
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
