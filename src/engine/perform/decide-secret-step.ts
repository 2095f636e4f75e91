import type { LegObservation } from "#chains/port.ts"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import type { Job } from "./job.ts"
import { REDEEM_WAIT_MS } from "./prove-payout.ts"
import { hasTimeToRedeem, isLockEnding } from "./time-to-redeem.ts"

type SecretStep = Pick<Extract<OrderEvent, { type: "order.observed" }>, "secret">

/** The step of an order with our own secret that follows from this observation of the payout. Pure. */
export function decideSecretStep(
  { data, nowMs }: Pick<Job, "data" | "nowMs">,
  seen: OrderData["seen"],
  payout: LegObservation | null,
): SecretStep {
  const own = data.ownSecret
  if (own == null || payout === null || payout.initiated === null || payout.redeemed !== null) return {}
  if (own.status === "unknown")
    return payout.agreed && payout.initiated.revealable && payout.refunded === null ? { secret: "reveal" } : {}
  if (own.status !== "revealed") return {}
  if (payout.refunded !== null) return payout.agreed && payout.refunded.final ? { secret: "lost" } : {}
  return isRedeemDue(data, own, seen, payout, nowMs) ? { secret: "redeem" } : {}
}

/**
 * The service has had its time, or less than a third of the lock is left, or only our key can redeem. Near the end of the lock a
 * redemption could lose the race against the solver's refund and only tell the secret: then Ballast redeems only where others know it already.
 */
function isRedeemDue(
  data: OrderData,
  own: NonNullable<OrderData["ownSecret"]>,
  seen: OrderData["seen"],
  payout: LegObservation,
  nowMs: number,
): boolean {
  const leg = data.serviceOrder?.destination
  const isSafe = leg !== undefined && hasTimeToRedeem(leg.timelock, payout)
  const isOpen = isSafe || own.isTold || seen.sourceRedeemed !== null
  const isEnding = leg !== undefined && isLockEnding(leg.timelock, payout)
  const hasWaited = own.revealedAt === null || Math.abs(nowMs - own.revealedAt) > REDEEM_WAIT_MS
  return isOpen && (isEnding || hasWaited || leg?.delegate != null || !own.isTold)
}
