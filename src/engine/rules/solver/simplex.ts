// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
import {
  APART,
  type Basis,
  costOf,
  eliminate,
  findEntering,
  findLeaving,
  isContradiction,
  isOnRows,
  type PackedRow,
  packRow,
  type Row,
} from "./simplex-steps.ts"

const ZERO = 1e-11
const DRIFT = 1e-7

/**
 * A linear program in floating point: the least cost of columns between finite bounds, under rows.
 *
 * This is the dual simplex method with an explicit inverse, exact steepest-edge weights (Forrest
 * and Goldfarb 1992) and a ratio test that flips bounds (Maros 2003). All columns have finite
 * bounds, so every basis can start: bounds and rows may change between two calls of `solve`, and
 * the next one starts from the last basis. Variable `n + i` is the slack of row `i`.
 */
export class Simplex {
  readonly rows: PackedRow[] = []
  /** The values and the reduced costs of the columns, and of the slacks after them. */
  x: Float64Array
  reduced: Float64Array
  /** The arithmetic of all pivots so far, in steps of the inner loops. */
  effort = 0
  /** The last answer of `solve`; `reduced` has the prices that it follows from. */
  bound = Number.NEGATIVE_INFINITY
  private readonly n: number
  private readonly cost: Float64Array
  private size: number
  private lower: Float64Array
  private upper: Float64Array
  private where: Int32Array
  private basis: Int32Array
  private weight: Float64Array
  private inverse: Float64Array
  private alpha: Float64Array
  private work: Float64Array
  private column: Float64Array
  private filled: Int32Array
  private found: Int32Array
  /**
   * The variables with two different bounds since the last `place`, basic ones included. The
   * reduced costs of the others are not kept.
   */
  private free: Int32Array
  private freeCount = 0
  /** The largest reduced cost in the basis at the last prices: zero but for rounding errors. */
  private residual = 0
  private atUpper: Uint8Array
  private readonly entries: { rows: number[]; values: number[] }[]
  private keptSlacks: number[] = []

  /** `size`: the rows that there is room for at first. */
  constructor(cost: readonly number[], upper: readonly number[], size = 64) {
    this.n = cost.length
    this.size = size
    this.basis = new Int32Array(size)
    this.weight = new Float64Array(size)
    this.inverse = new Float64Array(size * size)
    this.work = new Float64Array(size)
    this.column = new Float64Array(size)
    this.filled = new Int32Array(size)
    this.cost = Float64Array.from(cost)
    const all = this.n + this.size
    this.lower = new Float64Array(all)
    this.upper = new Float64Array(all)
    this.upper.set(upper)
    this.x = new Float64Array(all)
    this.reduced = new Float64Array(all)
    this.reduced.set(cost)
    this.where = new Int32Array(all).fill(-1)
    this.alpha = new Float64Array(all)
    this.found = new Int32Array(all)
    this.free = new Int32Array(all)
    this.atUpper = new Uint8Array(all)
    this.entries = cost.map(() => ({ rows: [], values: [] }))
  }

  setBounds(variable: number, lower: number, upper: number): void {
    this.lower[variable] = lower
    this.upper[variable] = upper
  }

  /**
   * What the last bound counts for this variable: its reduced cost at the bound that is cheaper.
   */
  charge(variable: number): number {
    const value = this.reduced[variable]!
    if (value === 0) return 0
    return value * (value > 0 ? this.lower[variable]! : this.upper[variable]!)
  }

  addRow(wide: Row, slack = Number.POSITIVE_INFINITY): number {
    const row = packRow(wide)
    const at = this.rows.length
    if (at === this.size) this.grow()
    const { size, inverse } = this
    inverse.fill(0, at * size, at * size + at)
    row.columns.forEach((column, index) => {
      const value = row.values[index]!
      this.entries[column]!.rows.push(at)
      this.entries[column]!.values.push(value)
      const place = this.where[column]!
      if (place < 0) return
      for (let r = 0; r < at; r += 1) inverse[at * size + r]! -= value * inverse[place * size + r]!
    })
    for (let place = 0; place < at; place += 1) inverse[place * size + at] = 0
    inverse[at * size + at] = 1
    let weight = 0
    for (let r = 0; r <= at; r += 1) weight += inverse[at * size + r]! ** 2
    this.weight[at] = weight
    this.rows.push(row)
    const variable = this.n + at
    this.lower[variable] = 0
    this.upper[variable] = slack
    this.basis[at] = variable
    this.where[variable] = at
    this.reduced[variable] = 0
    return at
  }

  private grow(): void {
    const old = this.size
    const size = this.size * 2
    const inverse = new Float64Array(size * size)
    for (let place = 0; place < old; place += 1)
      inverse.set(this.inverse.subarray(place * old, place * old + old), place * size)
    this.inverse = inverse
    const all = this.n + size
    const longer = <T extends Float64Array | Int32Array | Uint8Array>(fresh: T, from: T): T => {
      // CAST: both arrays have the same type, which the compiler cannot follow.
      fresh.set(from as never)
      return fresh
    }
    this.lower = longer(new Float64Array(all), this.lower)
    this.upper = longer(new Float64Array(all), this.upper)
    this.x = longer(new Float64Array(all), this.x)
    this.reduced = longer(new Float64Array(all), this.reduced)
    this.where = longer(new Int32Array(all).fill(-1), this.where)
    this.atUpper = longer(new Uint8Array(all), this.atUpper)
    this.alpha = new Float64Array(all)
    this.found = new Int32Array(all)
    this.free = new Int32Array(all)
    this.basis = longer(new Int32Array(size), this.basis)
    this.weight = longer(new Float64Array(size), this.weight)
    this.work = new Float64Array(size)
    this.column = new Float64Array(size)
    this.filled = new Int32Array(size)
    this.size = size
  }

  /**
   * Drops the rows with a slack in the basis that `mayGo` names. Returns the new place of each row,
   * or -1.
   */
  dropRows(mayGo: (row: number) => boolean): number[] {
    const { n, size, inverse } = this
    const count = this.rows.length
    const goes = this.rows.map((_, row) => this.where[n + row]! >= 0 && mayGo(row))
    if (!goes.includes(true)) return goes.map((_, row) => row)
    const gone = new Set<number>()
    goes.forEach((is, row) => {
      if (is) gone.add(this.where[n + row]!)
    })
    const places: number[] = []
    let kept = 0
    for (let row = 0; row < count; row += 1) {
      places.push(goes[row] ? -1 : kept)
      if (!goes[row]) kept += 1
    }
    let to = 0
    for (let place = 0; place < count; place += 1) {
      if (gone.has(place)) continue
      for (let row = 0; row < count; row += 1)
        if (places[row]! >= 0) inverse[to * size + places[row]!] = inverse[place * size + row]!
      const variable = this.basis[place]!
      this.basis[to] = variable < n ? variable : n + places[variable - n]!
      // The dropped columns of the inverse are zero here, because their slacks are in the basis.
      this.weight[to] = this.weight[place]!
      to += 1
    }
    const rows = this.rows.filter((_, row) => !goes[row])
    this.rows.length = 0
    for (const entry of this.entries) entry.rows.length = entry.values.length = 0
    for (let row = 0; row < count; row += 1) {
      const place = places[row]!
      if (place < 0) continue
      for (const list of [this.lower, this.upper, this.x, this.reduced, this.atUpper])
        list[n + place] = list[n + row]!
    }
    for (const row of rows) {
      row.columns.forEach((column, index) => {
        this.entries[column]!.rows.push(this.rows.length)
        this.entries[column]!.values.push(row.values[index]!)
      })
      this.rows.push(row)
    }
    this.where.fill(-1, n)
    for (let place = 0; place < kept; place += 1) this.where[this.basis[place]!] = place
    return places
  }

  /** The present basis, for `restore` while the rows stay the same. */
  save(): Basis {
    const used = this.rows.length * this.size
    return {
      inverse: this.inverse.slice(0, used),
      basis: this.basis.slice(),
      where: this.where.slice(),
      weight: this.weight.slice(),
      reduced: this.reduced.slice(),
      atUpper: this.atUpper.slice(),
    }
  }

  restore({ inverse, basis, where, weight, reduced, atUpper }: Basis): void {
    this.inverse.set(inverse)
    this.basis.set(basis)
    this.where.set(where)
    this.weight.set(weight)
    this.reduced.set(reduced)
    this.atUpper.set(atUpper)
  }

  /**
   * Sets every variable outside the basis to the bound that its reduced cost asks for, and the
   * basis to the rest.
   */
  private place(): void {
    const { n, size, work, x } = this
    const count = this.rows.length
    for (let row = 0; row < count; row += 1) work[row] = this.rows[row]!.most
    let free = 0
    for (let variable = 0; variable < n + count; variable += 1) {
      const upper = this.upper[variable]!
      if (this.lower[variable]! < upper) {
        this.free[free] = variable
        free += 1
      }
      if (this.where[variable]! >= 0) continue
      const reduced = this.reduced[variable]!
      if (reduced < 0 && upper < Number.POSITIVE_INFINITY) this.atUpper[variable] = 1
      else if (reduced > 0 || upper === Number.POSITIVE_INFINITY) this.atUpper[variable] = 0
      const value = this.atUpper[variable] === 1 ? upper : this.lower[variable]!
      x[variable] = value
      if (value === 0) continue
      if (variable >= n) work[variable - n]! -= value
      else {
        const { rows, values } = this.entries[variable]!
        for (let at = 0; at < rows.length; at += 1) work[rows[at]!]! -= values[at]! * value
      }
    }
    this.freeCount = free
    const { inverse, basis } = this
    for (let place = 0; place < count; place += 1) {
      const from = place * size
      let sum = 0
      for (let row = 0; row < count; row += 1) sum += inverse[from + row]! * work[row]!
      x[basis[place]!] = sum
    }
  }

  /** Combines the rows with the place's row of the inverse. */
  private combine(place: number): void {
    const { n, size, alpha, inverse } = this
    const count = this.rows.length
    alpha.fill(0, 0, n + count)
    for (let row = 0; row < count; row += 1) {
      const factor = inverse[place * size + row]!
      if (Math.abs(factor) < ZERO) continue
      alpha[n + row] = factor
      const { columns, values } = this.rows[row]!
      for (let at = 0; at < columns.length; at += 1) alpha[columns[at]!]! += factor * values[at]!
    }
  }

  private view(): Parameters<typeof findEntering>[0] {
    const { x, alpha, reduced, where, lower, upper, atUpper, found, free, freeCount } = this
    return { x, alpha, reduced, where, lower, upper, atUpper, found, free, freeCount }
  }

  private flip(flips: readonly number[]): void {
    if (flips.length === 0) return
    const { n, size, work } = this
    const count = this.rows.length
    work.fill(0, 0, count)
    for (const variable of flips) {
      const toUpper = this.atUpper[variable] === 0
      const value = toUpper ? this.upper[variable]! : this.lower[variable]!
      const change = value - this.x[variable]!
      this.atUpper[variable] = toUpper ? 1 : 0
      this.x[variable] = value
      if (variable >= n) work[variable - n]! += change
      else {
        const { rows, values } = this.entries[variable]!
        for (let at = 0; at < rows.length; at += 1) work[rows[at]!]! += values[at]! * change
      }
    }
    let filled = 0
    for (let row = 0; row < count; row += 1) {
      if (work[row] === 0) continue
      this.filled[filled] = row
      filled += 1
    }
    for (let place = 0; place < count; place += 1) {
      let sum = 0
      for (let at = 0; at < filled; at += 1)
        sum += this.inverse[place * size + this.filled[at]!]! * work[this.filled[at]!]!
      this.x[this.basis[place]!]! -= sum
    }
  }

  /** The column of a variable in terms of the basis. */
  private express(variable: number): void {
    const { n, size, column, inverse } = this
    const count = this.rows.length
    if (variable >= n) {
      for (let place = 0; place < count; place += 1)
        column[place] = inverse[place * size + variable - n]!
      return
    }
    const { rows, values } = this.entries[variable]!
    for (let place = 0; place < count; place += 1) {
      let sum = 0
      for (let at = 0; at < rows.length; at += 1)
        sum += inverse[place * size + rows[at]!]! * values[at]!
      column[place] = sum
    }
  }

  private exchange(place: number, entering: number, leaving: number, isLow: boolean): void {
    const { size, column, inverse, x, alpha, reduced, basis, where, free, freeCount } = this
    const count = this.rows.length
    const pivot = column[place]!
    const target = isLow ? this.lower[leaving]! : this.upper[leaving]!
    const step = (x[leaving]! - target) / pivot
    for (let other = 0; other < count; other += 1) x[basis[other]!]! -= step * column[other]!
    x[entering]! += step
    x[leaving] = target
    this.atUpper[leaving] = isLow ? 0 : 1
    const price = reduced[entering]! / alpha[entering]!
    for (let at = 0; at < freeCount; at += 1) {
      const variable = free[at]!
      if (where[variable]! < 0) reduced[variable]! -= price * alpha[variable]!
    }
    reduced[leaving] = -price
    reduced[entering] = 0
    this.where[leaving] = -1
    this.where[entering] = place
    this.basis[place] = entering
    const from = place * size
    let filled = 0
    for (let row = 0; row < count; row += 1) {
      const value = inverse[from + row]!
      if (value === 0) continue
      if (Math.abs(value) < ZERO) inverse[from + row] = 0
      else {
        inverse[from + row] = value / pivot
        this.filled[filled] = row
        filled += 1
      }
    }
    this.weight[place]! /= pivot * pivot
    this.subtract(place, filled)
  }

  /**
   * Takes the place's row of the inverse out of the other rows, by the parts of the entering
   * column.
   */
  private subtract(place: number, filled: number): void {
    const { size, column, inverse, weight, filled: rows } = this
    const from = place * size
    const own = weight[place]!
    const count = this.rows.length
    for (let other = 0; other < count; other += 1) {
      const factor = column[other]!
      if (other === place || Math.abs(factor) < ZERO) continue
      const to = other * size
      let product = 0
      for (let at = 0; at < filled; at += 1) {
        const row = rows[at]!
        const part = inverse[from + row]!
        const before = inverse[to + row]!
        product += before * part
        inverse[to + row] = before - factor * part
      }
      weight[other] = Math.max(weight[other]! - 2 * factor * product + factor * factor * own, 1e-4)
    }
  }

  /**
   * Builds the inverse of the basis again, to drop rounding errors. A variable without a pivot
   * leaves the basis for a slack.
   */
  private invert(): void {
    const { n, size, inverse } = this
    const count = this.rows.length
    const wanted = Array.from(this.basis.subarray(0, count)).filter((variable) => variable < n)
    for (let place = 0; place < count; place += 1) {
      inverse.fill(0, place * size, place * size + count)
      inverse[place * size + place] = 1
      this.where[this.basis[place]!] = -1
    }
    const isFree = new Uint8Array(count).fill(1)
    for (let row = 0; row < count; row += 1) this.basis[row] = n + row
    const slacks = new Set(this.keptSlacks)
    for (const variable of wanted) {
      this.express(variable)
      let place = -1
      let most = 1e-9
      for (let at = 0; at < count; at += 1) {
        if (isFree[at] === 0 || slacks.has(n + at)) continue
        if (Math.abs(this.column[at]!) > most) [place, most] = [at, Math.abs(this.column[at]!)]
      }
      if (place < 0) continue
      isFree[place] = 0
      this.basis[place] = variable
      eliminate(inverse, size, count, this.column, place)
    }
    for (let place = 0; place < count; place += 1) {
      this.where[this.basis[place]!] = place
      let weight = 0
      for (let row = 0; row < count; row += 1) weight += inverse[place * size + row]! ** 2
      this.weight[place] = weight
    }
  }

  private restart(): void {
    this.keptSlacks = Array.from(this.basis.subarray(0, this.rows.length)).filter(
      (variable) => variable >= this.n,
    )
    this.invert()
    this.price()
    this.place()
  }

  /**
   * The reduced costs of the present basis, and the lower bound on the cost that follows from them.
   * The bound holds for any prices of rows, so rounding errors in the basis weaken it and never
   * make it wrong (Neumaier and Shcherbina 2004).
   */
  price(): number {
    const { n, size, work, reduced } = this
    const count = this.rows.length
    work.fill(0, 0, count)
    for (let place = 0; place < count; place += 1) {
      const variable = this.basis[place]!
      const cost = variable < n ? this.cost[variable]! : 0
      if (cost === 0) continue
      for (let row = 0; row < count; row += 1)
        work[row]! += cost * this.inverse[place * size + row]!
    }
    let bound = 0
    for (let variable = 0; variable < n; variable += 1) reduced[variable] = this.cost[variable]!
    for (let row = 0; row < count; row += 1) {
      const { columns, values, most } = this.rows[row]!
      if (this.upper[n + row] === Number.POSITIVE_INFINITY && work[row]! > 0) work[row] = 0
      const price = work[row]!
      bound += price * most
      reduced[n + row] = -price
      if (price === 0) continue
      for (let at = 0; at < columns.length; at += 1) reduced[columns[at]!]! -= price * values[at]!
    }
    for (let variable = 0; variable < n + count; variable += 1) {
      const value = reduced[variable]!
      if (value > 0) bound += value * this.lower[variable]!
      else if (value < 0) bound += value * this.upper[variable]!
    }
    this.residual = 0
    for (let place = 0; place < count; place += 1) {
      this.residual = Math.max(this.residual, Math.abs(reduced[this.basis[place]!]!))
      reduced[this.basis[place]!] = 0
    }
    return bound
  }

  /**
   * A lower bound on the cost, the least one unless rounding errors or the limits end the search
   * early. Infinite: no point satisfies the rows.
   */
  solve(maxPivots = 2_000, enough = Number.POSITIVE_INFINITY): number {
    this.place()
    let end = this.pivot(maxPivots, enough)
    if (end === "optimal") {
      this.bound = this.price()
      if (this.residual < APART && isOnRows(this.rows, this.x, this.n)) return this.bound
    }
    if (end === "optimal" || end === "inexact") {
      this.restart()
      end = this.pivot(maxPivots, enough)
    }
    const bound = this.price()
    this.bound = end === "infeasible" ? Number.POSITIVE_INFINITY : bound
    return this.bound
  }

  private pivot(maxPivots: number, enough: number): "optimal" | "infeasible" | "inexact" | "limit" {
    const view = this.view()
    for (let step = 0; step < maxPivots; step += 1) {
      const place = findLeaving(this.basis, this.weight, view, this.rows.length)
      if (place < 0) return "optimal"
      const leaving = this.basis[place]!
      this.combine(place)
      const isLow = this.x[leaving]! < this.lower[leaving]!
      const off = Math.abs(this.x[leaving]! - (isLow ? this.lower : this.upper)[leaving]!)
      const found = findEntering(view, isLow ? -1 : 1, off)
      if (found === null) return isContradiction(this.rows, view, this.n) ? "infeasible" : "inexact"
      if (found.entering < 0) return "inexact"
      this.express(found.entering)
      const apart = Math.abs(this.column[place]! - this.alpha[found.entering]!)
      if (apart > DRIFT * (1 + Math.abs(this.column[place]!))) return "inexact"
      this.flip(found.flips)
      this.exchange(place, found.entering, leaving, isLow)
      this.effort += this.n + this.rows.length ** 2 / 4
      if (step % 4 === 3 && enough < Number.POSITIVE_INFINITY && costOf(this.cost, this.x) > enough)
        return "limit"
    }
    return "limit"
  }
}
