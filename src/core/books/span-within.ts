/**
 * The span within which this part of all has ended, of spans in ascending order; `null` without
 * one. The nearest rank: at least this part took no longer.
 */
export function spanWithin(sorted: ArrayLike<number>, part: number): number | null {
  // A product such as 0.95 * 20 may be a hair too high.
  return sorted[Math.max(0, Math.ceil(sorted.length * part - 1e-9) - 1)] ?? null
}
