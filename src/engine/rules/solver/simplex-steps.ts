// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
/**
 * One row of the program: the sum of `values` times columns is at most `most`, and at least `most`
 * minus the upper bound of the row's slack.
 */
export type Row = {
  readonly columns: ArrayLike<number>
  readonly values: ArrayLike<number>
  readonly most: number
}

/** The same in arrays of fixed types, which the inner loops read faster. */
export type PackedRow = {
  readonly columns: Int32Array
  readonly values: Float64Array
  readonly most: number
}

export function packRow({ columns, values, most }: Row): PackedRow {
  return { columns: Int32Array.from(columns), values: Float64Array.from(values), most }
}

export type Basis = {
  readonly inverse: Float64Array
  readonly basis: Int32Array
  readonly where: Int32Array
  readonly weight: Float64Array
  readonly reduced: Float64Array
  readonly atUpper: Uint8Array
}

/**
 * A larger reduced cost in the basis, or a larger difference in a row, shows that rounding errors
 * have added up in the inverse.
 */
export const APART = 1e-7
/**
 * What the ratio test of the simplex method reads: a row of the tableau, prices and bounds. `found`
 * is room for its own list.
 */
type View = {
  readonly x: Float64Array
  readonly alpha: Float64Array
  readonly reduced: Float64Array
  readonly where: Int32Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly atUpper: Uint8Array
  readonly found: Int32Array
  /** The variables with two different bounds. */
  readonly free: Int32Array
  readonly freeCount: number
}

const FEASIBLE = 1e-9
const PIVOT = 1e-7

/**
 * The place in the basis that leaves: the one farthest outside its bounds, by steepest-edge
 * weights. -1: all are inside.
 */
export function findLeaving(
  basis: Int32Array,
  weight: Float64Array,
  { x, lower, upper }: View,
  count: number,
): number {
  let found = -1
  let most = 0
  for (let place = 0; place < count; place += 1) {
    const variable = basis[place]!
    const value = x[variable]!
    const off = Math.max(lower[variable]! - value, value - upper[variable]!)
    if (off <= FEASIBLE) continue
    const score = (off * off) / weight[place]!
    if (score > most) [found, most] = [place, score]
  }
  return found
}

/**
 * The variable that enters for one that is `off` its bound, and those that change their bound
 * before. `null`: no point satisfies the rows.
 */
export function findEntering(
  { alpha, reduced, where, lower, upper, atUpper, found, free, freeCount }: View,
  sign: number,
  off: number,
): { entering: number; flips: number[] } | null {
  let count = 0
  for (let at = 0; at < freeCount; at += 1) {
    const variable = free[at]!
    const factor = alpha[variable]!
    if (factor === 0 || where[variable]! >= 0) continue
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

/**
 * The place of the variable with the least ratio; among equal ones, of the one with the largest
 * pivot.
 */
function findLeast(
  alpha: Float64Array,
  reduced: Float64Array,
  found: Int32Array,
  count: number,
): number {
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

export function costOf(cost: Float64Array, x: Float64Array): number {
  let sum = 0
  for (let column = 0; column < cost.length; column += 1) sum += cost[column]! * x[column]!
  return sum
}

/**
 * Whether the point satisfies the rows, but for small rounding errors. Variable `n + i` is the
 * slack of row `i`.
 */
export function isOnRows(rows: readonly PackedRow[], x: Float64Array, n: number): boolean {
  return rows.every(({ columns, values, most }, row) => {
    let sum = x[n + row]! - most
    for (let at = 0; at < columns.length; at += 1) sum += values[at]! * x[columns[at]!]!
    return Math.abs(sum) < APART
  })
}

/**
 * Whether no point between the bounds satisfies the rows, combined by the factors that `alpha` has
 * for their slacks. The rows alone decide it, so errors in the inverse do not matter.
 */
export function isContradiction(
  rows: readonly PackedRow[],
  { alpha, lower, upper }: View,
  n: number,
): boolean {
  let least = 0
  let most = 0
  let sum = 0
  for (let row = 0; row < rows.length; row += 1) sum += alpha[n + row]! * rows[row]!.most
  for (let variable = 0; variable < n + rows.length; variable += 1) {
    const factor = alpha[variable]!
    if (factor === 0) continue
    least += factor * (factor > 0 ? lower[variable]! : upper[variable]!)
    most += factor * (factor > 0 ? upper[variable]! : lower[variable]!)
  }
  return least > sum + 1e-8 || most < sum - 1e-8
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
    for (let row = 0; row < count; row += 1)
      inverse[other * size + row]! -= factor * inverse[from + row]!
  }
}
