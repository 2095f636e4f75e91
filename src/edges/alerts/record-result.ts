import type { Delivery, DeliveryState } from "./delivery-state.ts"
import type { Sent } from "./port.ts"

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 10 * 60_000

/**
 * Takes a delivered message from the list, or postpones a failed one: 5 s, and twice as long after
 * each further failure. Pure.
 */
export function recordResult(
  state: DeliveryState,
  id: string,
  sent: Sent,
  nowMs: number,
): DeliveryState {
  const delivery = state.deliveries.find((one) => one.id === id)
  if (delivery === undefined) return state
  const { receiver } = delivery
  const before = state.receivers[receiver] ?? {
    deliveredMs: null,
    failingSinceMs: null,
    error: null,
  }
  if (sent.ok) {
    const receivers = {
      ...state.receivers,
      [receiver]: { deliveredMs: nowMs, failingSinceMs: null, error: null },
    }
    return { ...state, receivers, deliveries: state.deliveries.filter((one) => one !== delivery) }
  }
  const failingSinceMs = before.failingSinceMs ?? nowMs
  const receivers = {
    ...state.receivers,
    [receiver]: { ...before, failingSinceMs, error: sent.error },
  }
  const later = postpone(delivery, sent, nowMs)
  return {
    ...state,
    receivers,
    deliveries: state.deliveries.map((one) => (one === delivery ? later : one)),
  }
}

/** A time that is further away than any wait was set before the clock was set back. */
export function isBeyondAnyWait({ dueMs }: Pick<Delivery, "dueMs">, nowMs: number): boolean {
  return dueMs - nowMs > LONGEST_WAIT_MS
}

function postpone(
  delivery: Delivery,
  { error, waitMs }: Sent & { ok: false },
  nowMs: number,
): Delivery {
  const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(delivery.tries, 20))
  const pauseMs = Math.min(LONGEST_WAIT_MS, Math.max(backoffMs, waitMs ?? 0))
  return { ...delivery, tries: delivery.tries + 1, dueMs: nowMs + pauseMs, error }
}
