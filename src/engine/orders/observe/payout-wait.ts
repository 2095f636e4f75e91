import type { OrderData, PayoutWait } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { Job } from "./job.ts"

/*
 * The wait for a payout that is due. The alarm comes within seconds (`find-alerts.ts`); the order
 * is held only after the destination had time to show the payout.
 */

/**
 * One pause of the destination counts at most this part of the patience, so that a chain that stood
 * still has to grow again.
 */
const PAUSES_PER_PATIENCE = 4

/** The wait after this observation: it starts again when the destination shows the payout. */
export function countPayoutWait(
  { seen, policy }: Pick<OrderData, "seen" | "policy">,
  destination: LegObservation | null,
  nowMs: number,
): PayoutWait | null {
  const known = seen.payoutWait ?? null
  if (destination === null || !destination.agreed) return known
  if (destination.redeemed !== null) return null
  const { height } = destination
  if (known === null) return { waitedMs: 0, height, sinceHeightMs: 0, readAt: nowMs }
  // A longer gap than between two observations: the daemon was down, its clock jumped, or the chain
  // could not be read.
  const gapMs = Math.min(Math.max(0, nowMs - known.readAt), 2 * policy.pollMaxMs)
  const sinceHeightMs = known.sinceHeightMs + gapMs
  if (height <= known.height) return { ...known, sinceHeightMs, readAt: nowMs }
  const countedMs = Math.min(sinceHeightMs, policy.reportPatienceMs / PAUSES_PER_PATIENCE)
  return { waitedMs: known.waitedMs + countedMs, height, sinceHeightMs: 0, readAt: nowMs }
}

/**
 * An honest destination may still show a payout that is due: its endpoints may lag, its blocks may
 * be slow, and after a reorganisation the solver pays again. When the solver's refund is final, no
 * payout follows. A block that has our own redemption is newer than a look before it, and only
 * another look tells the amount.
 */
export function mayPayoutLag(
  { data }: Job,
  seen: OrderData["seen"],
  destination: LegObservation | null,
): boolean {
  const isDue = seen.sourceRedeemed !== null || data.reportedAt !== null
  if (!isDue || destination?.refunded?.final === true) return false
  if (destination === null && isRedeemedByUs(data)) return true
  return (seen.payoutWait?.waitedMs ?? 0) <= data.policy.reportPatienceMs
}

function isRedeemedByUs({ mined, transactions }: OrderData): boolean {
  const { txid } = transactions.redeem.mined ?? {}
  return mined.some((one) => one.purpose === "redeem" && one.txid === txid && one.ok)
}
