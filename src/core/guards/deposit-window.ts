import type { OrderPolicy } from "#domain/order.ts"

/**
 * The service's deadline counts up to this many deposit windows of the chain's family: two hours on
 * EVM chains, twelve on Bitcoin.
 */
const MAX_WINDOWS = 2

/**
 * The last moment at which the deposit may be sent. The service must *see* the deposit before its
 * deadline; the configured margin leaves time for that, at most half of the time left.
 *
 * A deadline beyond the ceiling is clamped, not refused: a deposit within our own, earlier limit is
 * also within the service's. Until that moment the order may hold an allowance and its lock, and
 * the alarm for an unfilled deposit counts from it; so the service must not choose it freely.
 */
export function decideSendUntil(
  order: {
    readonly deadlineMs: number | null
    readonly createdAtMs: number
    readonly nowMs: number
  },
  policy: Pick<OrderPolicy, "depositWindowMs" | "deadlineMarginMs">,
): number {
  const { deadlineMs, createdAtMs, nowMs } = order
  const asked = deadlineMs ?? createdAtMs + policy.depositWindowMs
  const untilMs = Math.min(asked, nowMs + MAX_WINDOWS * policy.depositWindowMs)
  return untilMs - Math.min(policy.deadlineMarginMs, Math.max(0, (untilMs - nowMs) / 2))
}

/**
 * The time for sending the deposit is over. It is also over when more of it is left than any order
 * gets: the clock was ahead when the order was verified and has been set back, so its time would
 * end long after the service's deadline.
 */
export function isWindowOver(
  sendUntilMs: number,
  nowMs: number,
  { depositWindowMs }: Pick<OrderPolicy, "depositWindowMs">,
): boolean {
  return nowMs >= sendUntilMs || sendUntilMs - nowMs > MAX_WINDOWS * depositWindowMs
}
