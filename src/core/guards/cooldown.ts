/**
 * Failures in a row of one pair or rule: the count since its last success, and the time of the
 * newest failure.
 */
export type Failures = { readonly count: number; readonly lastMs: number | null }

/**
 * The time until which new orders wait: the base after one failure, twice as long after each
 * further failure, up to the longest. `null` when there is no failure to wait for. A success resets
 * the count.
 */
export function cooldownUntil(
  failures: Failures,
  baseMs: number,
  longestMs: number,
): number | null {
  const { count, lastMs } = failures
  if (lastMs === null || count < 1) return null
  // Thirty doublings exceed every configured maximum and still fit into a number.
  const grownMs = baseMs * 2 ** Math.min(count - 1, 30)
  return lastMs + Math.max(baseMs, Math.min(grownMs, longestMs))
}
