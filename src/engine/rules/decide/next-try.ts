import type { Reason } from "#domain/reason.ts"
import { everyMsOf } from "#policy/rules/registry.ts"
import type { DueEntry } from "../tick/due-list.ts"
import { GRACE_MS } from "../tick/due-occurrences.ts"

/** The delay after a failed read, unless the rule's own interval is shorter. */
export const RETRY_MS = 10_000
/** The delay between two tries within an open window. */
const WINDOW_RETRY_MS = 30_000

/** Refusals because of a failed read. */
const FAILED_READ_CODES = [
  "policy.view_incomplete",
  "policy.price_missing",
  "policy.quote_missing",
  "policy.amount_unknown",
  "funds.unreadable",
]

/**
 * Refusals because too many orders are in flight now. A scheduled swap waits a little for a free
 * place.
 */
const TOO_MANY_ORDERS_CODES = ["policy.order_count", "limit.in_flight"]

/**
 * Refusals because the wallet's fees rose between the read and the decision. The next try reads
 * both again, and sells less.
 */
const FEES_ROSE_CODES = ["funds.insufficient", "funds.gas", "policy.gas"]

/** The run is tried again until its quote, price, balance or coin is there. */
export const TRIED_AGAIN_CODES: readonly string[] = [...FAILED_READ_CODES, ...FEES_ROSE_CODES]

/** The results of a try. `firstMs`: the time of the first try of an occurrence. */
export type Tried = {
  readonly reasons: readonly Pick<Reason, "code">[]
  readonly isOrdered: boolean
  readonly firstMs: number
  readonly nowMs: number
}

/**
 * The time of the next try; `null` for an occurrence that is settled now, with or without an order.
 */
export function decideNextTry(
  { of: rule, at }: DueEntry,
  { reasons, isOrdered, firstMs, nowMs }: Tried,
): number | null {
  const isUnread = hasAny(reasons, FAILED_READ_CODES)
  if (at === null) {
    const everyMs = everyMsOf(rule) ?? RETRY_MS
    return nowMs + (isUnread ? Math.min(everyMs, RETRY_MS) : everyMs)
  }
  if (isOrdered) return null
  const isTemporary = isUnread || hasAny(reasons, [...TOO_MANY_ORDERS_CODES, ...FEES_ROSE_CODES])
  const untilMs = isTemporary ? Math.max(at.closesMs, firstMs) + GRACE_MS : at.closesMs
  if (nowMs >= untilMs) return null
  return nowMs + (isTemporary ? RETRY_MS : WINDOW_RETRY_MS)
}

function hasAny(reasons: Tried["reasons"], codes: readonly string[]): boolean {
  return reasons.some(({ code }) => codes.includes(code))
}
