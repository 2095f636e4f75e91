import { mustExist } from "#lib/assert.ts"

/** The 5th, 50th and 95th percentile of several runs, by nearest rank. */
export type Percentiles<T> = { readonly p5: T; readonly p50: T; readonly p95: T }

/** Throws `bug.assertion` for an empty list. */
export function percentilesOf<T extends bigint | number>(values: readonly T[]): Percentiles<T> {
  const sorted = sort(values)
  return { p5: rank(sorted, 5), p50: rank(sorted, 50), p95: rank(sorted, 95) }
}

/** With the quarters, for a plot. Throws `bug.assertion` for an empty list. */
export function fanOf(values: readonly number[]) {
  const sorted = sort(values)
  return { ...percentilesOf(sorted), p25: rank(sorted, 25), p75: rank(sorted, 75) }
}

function sort<T extends bigint | number>(values: readonly T[]): readonly T[] {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

function rank<T>(sorted: readonly T[], percent: number): T {
  const index = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)
  return mustExist(sorted[index], "a value")
}
