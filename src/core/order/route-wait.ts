/*
 * The usual wait for a payout, learnt from the last completed orders of a route: the same asset to
 * the same asset.
 */

/** `earlyMs`: a fourth of the payouts had come by then. */
export type RouteWait = {
  readonly usualMs: number
  readonly earlyMs: number
  readonly orders: number
}

/**
 * So many of the last orders count, so a route that became slower or faster is learnt anew within a
 * few orders.
 */
export const MOST_ORDERS = 12
const LEAST_ORDERS = 4
/** A longer wait was an incident, and says nothing about the next order. */
const LONGEST_MS = 24 * 60 * 60_000

/**
 * `waitsMs`: from the deposit until the payout, as our own nodes showed both, newest first. `null`
 * while too few are known.
 */
export function learnRouteWait(waitsMs: readonly number[]): RouteWait | null {
  const sorted = waitsMs
    .filter((waitMs) => waitMs >= 0 && waitMs <= LONGEST_MS)
    .slice(0, MOST_ORDERS)
    .toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return sorted.length < LEAST_ORDERS
    ? null
    : { usualMs: at(0.5), earlyMs: at(0.25), orders: sorted.length }
}

/** `waitedMs`: since the deposit was seen. `backoffMs`: the wait without a learnt one. */
type PayoutWait = {
  readonly waitedMs: number
  readonly backoffMs: number
  readonly pollMinMs: number
  readonly pollMaxMs: number
}

/**
 * The wait before the order is observed again while its payout is due. Until a fourth of the
 * payouts had come, an observation finds nothing, so the next one is at that time; afterwards the
 * waits grow as usual. Always within the polling bounds, so every deadline is watched as before.
 */
export function waitForPayout(
  wait: RouteWait | null,
  { waitedMs, backoffMs, pollMinMs, pollMaxMs }: PayoutWait,
): number {
  if (wait === null || waitedMs < 0 || waitedMs >= wait.earlyMs) return backoffMs
  const leftMs = wait.earlyMs - waitedMs
  // An order that has just arrived is observed at once, and a payout that comes sooner than any
  // poll must not wait for one.
  return leftMs < pollMinMs ? Math.min(backoffMs, pollMinMs) : Math.min(pollMaxMs, leftMs)
}
