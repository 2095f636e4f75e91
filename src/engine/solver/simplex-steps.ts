// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
/** One row of the program: the sum of `values` times columns is at most `most`, and at least `most` minus the upper bound of the row's slack. */
export type Row = { readonly columns: readonly number[]; readonly values: readonly number[]; readonly most: number }

export type Basis = {
  readonly inverse: Float64Array
  readonly basis: Int32Array
  readonly where: Int32Array
  readonly weight: Float64Array
  readonly reduced: Float64Array
  readonly atUpper: Uint8Array
}

/** A larger reduced cost in the basis, or a larger difference in a row, shows that rounding errors have added up in the inverse. */
export const APART = 1e-7
/** What the ratio test of the simplex method reads: a row of the tableau, prices and bounds. `found` is room for its own list. */
type View = {
  readonly alpha: Float64Array
  readonly reduced: Float64Array
  readonly where: Int32Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly atUpper: Uint8Array
  readonly found: Int32Array
  readonly all: number
}

export const FEASIBLE = 1e-9
const PIVOT = 1e-7

/** The variable that enters for one that is `off` its bound, and those that change their bound before. `null`: no point satisfies the rows. */
export function findEntering(
  { alpha, reduced, where, lower, upper, atUpper, found, all }: View,
  sign: number,
  off: number,
): { entering: number; flips: number[] } | null {
  let count = 0
  for (let variable = 0; variable < all; variable += 1) {
    const factor = alpha[variable]!
    if (factor === 0 || where[variable]! >= 0 || lower[variable] === upper[variable]) continue
    if ((atUpper[variable] === 1 ? -sign * factor : sign * factor) <= 1e-9) continue
    found[count] = variable
    count += 1
  }
  const flips: number[] = []
  let left = off
  while (count > 0) {
    const best = findLeast(alpha, reduced, found, count)
    const variable = found[best]!
    count -= 1
    found[best] = found[count]!
    const steepness = Math.abs(alpha[variable]!)
    left -= steepness * (upper[variable]! - lower[variable]!)
    if (left <= FEASIBLE && steepness > PIVOT) return { entering: variable, flips }
    flips.push(variable)
  }
  return left > 1e-7 ? null : { entering: -1, flips: [] }
}

/** The place of the variable with the least ratio; among equal ones, of the one with the largest pivot. */
function findLeast(alpha: Float64Array, reduced: Float64Array, found: Int32Array, count: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  let steepest = 0
  for (let at = 0; at < count; at += 1) {
    const steep = Math.abs(alpha[found[at]!]!)
    const ratio = Math.abs(reduced[found[at]!]!) / steep
    if (at === 0 || ratio < least - 1e-12 || (ratio <= least + 1e-12 && steep > steepest)) {
      best = at
      least = ratio
      steepest = steep
    }
  }
  return best
}

/** Whether the point satisfies the rows, but for small rounding errors. Variable `n + i` is the slack of row `i`. */
export function isOnRows(rows: readonly Row[], x: Float64Array, n: number): boolean {
  return rows.every(({ columns, values, most }, row) => {
    let sum = x[n + row]! - most
    for (let at = 0; at < columns.length; at += 1) sum += values[at]! * x[columns[at]!]!
    return Math.abs(sum) < APART
  })
}

/** Divides the place's row of the inverse by its pivot, and takes it out of the other rows. */
export function eliminate(
  inverse: Float64Array,
  size: number,
  count: number,
  column: Float64Array,
  place: number,
): void {
  const pivot = column[place]!
  const from = place * size
  for (let row = 0; row < count; row += 1) inverse[from + row]! /= pivot
  for (let other = 0; other < count; other += 1) {
    const factor = column[other]!
    if (other === place || factor === 0) continue
    for (let row = 0; row < count; row += 1) inverse[other * size + row]! -= factor * inverse[from + row]!
  }
}
