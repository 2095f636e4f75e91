// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
import type { Row } from "./simplex-steps.ts"

/**
 * An edge at a node: its orders, what one order can carry, and the relaxation's values of its
 * filled and unfilled parts of orders.
 */
type CutEdge = {
  readonly size: number
  readonly most: number
  readonly filledAt: number
  readonly unfilledAt: number
}

/** The flow on the edges exceeds `limit` by at most the column `overAt`, in units of `overSize`. */
export type FlowLimit = {
  readonly edges: readonly CutEdge[]
  readonly limit: number
  readonly overAt: number
  readonly overSize: number
}

type Cut = Row & { readonly violation: number }

const LEAST_VIOLATION = 1e-4
const FARTHEST = 0.99
const NEAREST = 0.01

/**
 * The mixed-integer rounding cut of a flow limit that the point violates most, or `null`.
 *
 * The flow of an edge is its size times its orders, less the unfilled part; where the unfilled part
 * is larger, the flow itself counts as a continuous column. Orders near their upper bound are
 * counted down from it. The row is divided by each size in turn, then by halves of the best
 * (Marchand and Wolsey 2001, "Aggregation and mixed integer rounding to solve MIPs"). Flow cover
 * cuts are a special case.
 */
export function findCut(
  { edges, limit, overAt, overSize }: FlowLimit,
  x: Float64Array,
): Cut | null {
  if (!edges.some(({ filledAt, unfilledAt, most }) => isOpen(x[filledAt]! + x[unfilledAt]!, most)))
    return null
  const used = edges.filter(({ filledAt, unfilledAt }) => x[filledAt]! + 1e-9 >= x[unfilledAt]!)
  const orders = Float64Array.from(
    used,
    ({ filledAt, unfilledAt }) => x[filledAt]! + x[unfilledAt]!,
  )
  // Edges without orders change only the coefficients of a cut and not how far the point violates
  // it.
  const live = used.map((_, at) => at).filter((at) => orders[at]! > 0)
  let slack = overAt < 0 ? 0 : x[overAt]! * overSize
  for (const { size, unfilledAt } of used) slack += size * x[unfilledAt]!
  const down = used.map(({ most }, at) => orders[at]! > most / 2)
  const point: CutPoint = { used, orders, live, down, limit, slack }
  const evaluate = (divisor: number): Rounding | null => round(point, divisor)
  let best: Rounding | null = null
  const take = (divisor: number): void => {
    const found = evaluate(divisor)
    if (found !== null && (best === null || found.score > best.score)) best = found
  }
  const tried = new Set<number>()
  used.forEach(({ size, most }, at) => {
    if (!isOpen(orders[at]!, most) || tried.has(size)) return
    tried.add(size)
    take(size)
  })
  const isFull = used.map(({ most }, at) => orders[at]! > most - 1e-6)
  if (tried.size === 0) return null
  used.forEach(({ size }, at) => {
    if (isFull[at] && !tried.has(size)) {
      tried.add(size)
      take(size)
    }
  })
  // CAST: the closure above sets it.
  const first = best as Rounding | null
  if (first === null) return null
  for (const part of [2, 4, 8]) take(first.divisor / part)
  const byDistance = used
    .map((_, at) => at)
    .filter((at) => orders[at]! > 1e-6 && orders[at]! < used[at]!.most - 1e-6)
  byDistance.sort(
    (a, b) => Math.abs(orders[a]! - used[a]!.most / 2) - Math.abs(orders[b]! - used[b]!.most / 2),
  )
  for (const at of byDistance) {
    const before: Rounding = best!
    down[at] = !down[at]
    take(before.divisor)
    if (best === before) down[at] = !down[at]
  }
  // CAST: as above.
  const chosen = best as Rounding | null
  if (chosen === null || chosen.score < LEAST_VIOLATION) return null
  return write(used, down, overAt, overSize, chosen)
}

/** Neither none nor all of the edge's orders. */
function isOpen(orders: number, most: number): boolean {
  return orders >= 1e-6 && orders <= most - 1e-6
}

type CutPoint = {
  readonly used: readonly CutEdge[]
  readonly orders: Float64Array
  readonly live: readonly number[]
  readonly down: readonly boolean[]
  readonly limit: number
  readonly slack: number
}

type Rounding = {
  readonly divisor: number
  readonly score: number
  readonly violation: number
  readonly part: number
  readonly most: number
  readonly perSlack: number
}

function round(
  { used, orders, live, down, limit, slack }: CutPoint,
  divisor: number,
): Rounding | null {
  let right = limit
  for (const at of live) if (down[at]) right -= used[at]!.size * used[at]!.most
  const beta = right / divisor
  const whole = Math.floor(beta)
  const part = beta - whole
  if (part < NEAREST || part > FARTHEST) return null
  let most = whole
  let left = 0
  let norm = 0
  for (const at of live) {
    const factor = factorOf(used[at]!.size / divisor, down[at]!, part)
    if (down[at]) most += factor * used[at]!.most
    left += factor * orders[at]!
    if (orders[at]! > 1e-6) norm += factor * factor
  }
  const perSlack = 1 / (divisor * (1 - part))
  const violation = left - most - slack * perSlack
  return { divisor, violation, score: violation / Math.sqrt(norm + 1e-6), part, most, perSlack }
}

/**
 * The coefficient of an edge with this size, in divisors. `isDown`: its orders are counted down
 * from their upper bound.
 */
function factorOf(size: number, isDown: boolean, part: number): number {
  const value = isDown ? -size : size
  const floor = Math.floor(value + 1e-12)
  const rounded = floor + Math.max(0, value - floor - part) / (1 - part)
  return isDown ? -rounded : rounded
}

function write(
  used: readonly CutEdge[],
  down: readonly boolean[],
  overAt: number,
  overSize: number,
  cut: Rounding,
): Cut {
  const columns: number[] = []
  const values: number[] = []
  const add = (column: number, value: number): void => {
    if (Math.abs(value) < 1e-10) return
    columns.push(column)
    values.push(value)
  }
  used.forEach(({ size, filledAt, unfilledAt }, at) => {
    const factor = factorOf(size / cut.divisor, down[at]!, cut.part)
    add(filledAt, factor)
    add(unfilledAt, factor - size * cut.perSlack)
  })
  if (overAt >= 0) add(overAt, -overSize * cut.perSlack)
  return { columns, values, most: cut.most + 1e-9, violation: cut.violation }
}
