/**
 * The candidate that `name` most likely misspells, or `null` if none is near.
 *
 * The distance is written by hand: swapped letters (`form` for `from`) are a common slip and must
 * cost one. The maintained libraries, such as fastest-levenshtein, count two.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const allowed = name.length <= 4 ? 1 : 2
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(fold(name), fold(candidate)) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate ?? null
}

/** `max-order`, `maxOrder` and `MAX_ORDER` are all near `max_order`. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "")
}

/**
 * Optimal string alignment: insertion, deletion, replacement and a swap of neighbours cost one
 * each.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          cell(last, column) + 1,
          cell(current, column - 1) + 1,
          cell(last, column - 1) + cost,
          swapped ? cell(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return cell(last, b.length)
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
