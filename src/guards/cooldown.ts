/** Failures of one pair or rule in a row: how many since its last success, and when the newest was. */
export type Failures = { readonly count: number; readonly lastMs: number | null }

/**
 * Until when new orders wait: the base after one failure, twice as long after each further one, up to the longest; `null` for not at all.
 *
 * A success resets the count, because the failures before it are then not counted any more.
 */
export function cooldownUntil(failures: Failures, baseMs: number, longestMs: number): number | null {
  const { count, lastMs } = failures
  if (lastMs === null || count < 1) return null
  // More doublings than this overflow no number, and are far beyond any bound.
  const grownMs = baseMs * 2 ** Math.min(count - 1, 30)
  return lastMs + Math.max(baseMs, Math.min(grownMs, longestMs))
}
