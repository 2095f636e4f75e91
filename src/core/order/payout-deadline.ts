import { agreedEnd, type OrderData } from "./data.ts"

/** About when the lock of the payout ends, by its last read; `null` while that is unknown. Pure. */
export function payoutEndMs({ seen, policy }: OrderData): number | null {
  const known = seen.payoutLock
  if (known === undefined) return null
  const { secondsPerUnit } = policy.timelocks.destination
  return known.readAt + Number(known.refundableAt - known.height) * secondsPerUnit * 1_000
}

/**
 * The time in which the payout of a told secret must be redeemed; `null` where no secret is told,
 * and once the payout is redeemed. `offerUnits`: the most that the newest signed redemption pays,
 * in the native coin of the payout's chain; `null` before the first one. `capUnits`: the most that
 * one may pay by the end of the lock; `null` while unknown. Pure.
 */
export function readPayoutDeadline(data: OrderData): PayoutDeadline | null {
  const { ownSecret, seen, transactions } = data
  if (ownSecret?.status !== "revealed" || agreedEnd(seen.destinationRedeemed) !== null) return null
  const { signed } = transactions.redeem
  return {
    atMs: payoutEndMs(data),
    height: seen.payoutLock?.refundableAt ?? null,
    offerUnits: signed.at(-1)?.plan.maxFeeUnits ?? null,
    capUnits: seen.payoutLock?.capUnits ?? null,
  }
}

type PayoutDeadline = {
  /** An estimate by the chain's usual block time. */
  readonly atMs: number | null
  readonly height: bigint | null
  readonly offerUnits: bigint | null
  readonly capUnits: bigint | null
}
