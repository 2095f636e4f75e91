import type { OrderData } from "./data.ts"
import type { OrderEvent } from "./events.ts"
import { lacksPayout } from "./lacks-payout.ts"

/*
 * The waits before work: when an order arrives in a state, and when it repeats the work of the
 * state that it is in.
 */

const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/**
 * A disarmed signature needs another order's allowance, and its refund is a day away: minutes are
 * early enough.
 */
const DISARMED_WAIT_MS = 5 * 60_000
/**
 * An endpoint has just accepted the bytes. A look at once finds a block only where the chain makes
 * one for each transaction; all other chains would be asked once for nothing. It comes within the
 * second in which the absence of the transaction means nothing yet (`observe-transaction.ts`), and
 * no later than any other poll.
 */
const SENT_WAIT_MS = 900
/** The lock of a payout runs, so no look waits for longer than a moment. */
const OWN_SECRET_SENT_WAIT_MS = 20
/** A node may need a moment before it shows a transaction that it accepted. */
const UNSEEN_WAIT_MS = 3_000
const BACKOFF_GROWTH = 1.3
/**
 * The source is redeemed and no payout is shown: either a node lags, or it is a theft that must not
 * stay unnoticed until `poll.max`.
 */
const AWAITED_WAIT_MS = 5_000

/**
 * The wait on arrival. Events that lead back to an earlier state need one: otherwise two states
 * would pass the order back and forth as fast as the nodes answer.
 */
export type Rest = "none" | "sent" | "unseen" | "creation" | "poll" | "longPoll"

/**
 * How fast repeated work slows down: `work` from one to thirty seconds, `poll` within the order's
 * polling bounds, `watch` at equal intervals.
 */
export type Pace = "work" | "poll" | "watch"

/** The order enters another state. */
export function arrive(data: OrderData, event: OrderEvent, rest: Rest): OrderData {
  return { ...data, tries: 0, waitMs: restMs(data, rest), stateSince: event.at }
}

/** The order stays, and repeats its work after a wait that grows with each repetition. */
export function repeat(data: OrderData, event: OrderEvent, pace: Pace): OrderData {
  const askedMs = event.type === "work.deferred" ? event.waitMs : undefined
  const tries = data.tries + (event.tried ?? 0)
  return { ...data, tries: tries + 1, waitMs: askedMs ?? backoffMs({ ...data, tries }, pace) }
}

function restMs({ creations, ownSecret, policy }: OrderData, rest: Rest): number {
  switch (rest) {
    case "none":
      return 0
    case "sent":
      return ownSecret == null ? Math.min(SENT_WAIT_MS, policy.pollMinMs) : OWN_SECRET_SENT_WAIT_MS
    case "unseen":
      return UNSEEN_WAIT_MS
    case "creation":
      return Math.min(MAX_WAIT_MS, MIN_WAIT_MS * creations)
    case "poll":
      return policy.pollMinMs
    case "longPoll":
      return policy.pollMaxMs
  }
}

function backoffMs(data: OrderData, pace: Pace): number {
  const { tries, policy } = data
  if (pace === "watch") return DISARMED_WAIT_MS
  const longestMs = lacksPayout(data) ? AWAITED_WAIT_MS : policy.pollMaxMs
  const pollMaxMs = Math.max(policy.pollMinMs, Math.min(policy.pollMaxMs, longestMs))
  const [minMs, maxMs] =
    pace === "poll" ? [policy.pollMinMs, pollMaxMs] : [MIN_WAIT_MS, MAX_WAIT_MS]
  return Math.min(maxMs, Math.round(minMs * BACKOFF_GROWTH ** Math.min(tries, 40)))
}
