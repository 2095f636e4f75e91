import type { Asset } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import { payoutEndMs } from "#order/payout-deadline.ts"
import type { ChainPort } from "#ports/chain.ts"
import { estimateLock } from "../observe/payout-lock.ts"
import { decideStake } from "../observe/time-to-redeem.ts"
import { payoutWorth } from "./payout-worth.ts"

/**
 * The deadline of a redemption, and its fee. Amounts are in the smallest units of the destination's
 * native coin. `deadlineMs`: about when the solver can take the payout back; `null` while unknown.
 * `offerUnits`: the most that the newest signed redemption pays; `null` before the first one.
 * `capUnits`: the most that one may pay now.
 */
type RedeemOffer = {
  readonly deadlineMs: number | null
  readonly leftMs: number | null
  readonly offerUnits: bigint | null
  readonly capUnits: bigint | null
  readonly worthUnits: bigint | null
}

/**
 * The present offer for the payout of an order; `null` where its secret was never revealed. Pure:
 * it counts with the lock as it was last read, and the time since then.
 */
export function describeRedeemOffer(
  data: OrderData,
  {
    port,
    asset,
    nowMs,
  }: { readonly port: ChainPort; readonly asset: Asset | undefined; readonly nowMs: number },
): RedeemOffer | null {
  const { ownSecret, serviceOrder, transactions } = data
  if (ownSecret == null || ownSecret.revealedAt === null || serviceOrder === null) return null
  const worthUnits = payoutWorth(data, asset, port.traits.nativeCoin)
  const stake = decideStake(data, worthUnits, estimateLock(data, null, nowMs))
  const deadlineMs = payoutEndMs(data)
  return {
    deadlineMs,
    leftMs: deadlineMs === null ? null : Math.max(0, deadlineMs - nowMs),
    offerUnits: transactions.redeem.signed.at(-1)?.plan.maxFeeUnits ?? null,
    capUnits: port.capRedeemFee(data.request.to, stake),
    worthUnits,
  }
}
