// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
import type { Row } from "./simplex-steps.ts"

/** An edge at a node: its orders, what one order can carry, and the relaxation's values of its filled and unfilled parts of orders. */
export type CutEdge = {
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

export type Cut = Row & { readonly violation: number }

const LEAST_VIOLATION = 1e-4
const FARTHEST = 0.99
const NEAREST = 0.01

/**
 * The mixed-integer rounding cut of a flow limit that the point violates most, or `null`.
 *
 * The flow of an edge is its size times its orders, less the unfilled part; where the unfilled part is larger, the flow itself counts as a continuous column.
 * Orders near their upper bound are counted down from it. The row is divided by each size in turn, then by halves of the best (Marchand and Wolsey 2001, "Aggregation
 * and mixed integer rounding to solve MIPs"). Flow cover cuts are a special case.
 */
export function findCut({ edges, limit, overAt, overSize }: FlowLimit, x: Float64Array): Cut | null {
  const used = edges.filter(({ filledAt, unfilledAt }) => x[filledAt]! + 1e-9 >= x[unfilledAt]!)
  const orders = used.map(({ filledAt, unfilledAt }) => x[filledAt]! + x[unfilledAt]!)
  let slack = overAt < 0 ? 0 : x[overAt]! * overSize
  for (const { size, unfilledAt } of used) slack += size * x[unfilledAt]!
  const down = used.map(({ most }, at) => orders[at]! > most / 2)
  const evaluate = (divisor: number): Rounding | null => round(used, orders, down, limit, slack, divisor)
  let best: Rounding | null = null
  const take = (divisor: number): void => {
    const found = evaluate(divisor)
    if (found !== null && (best === null || found.score > best.score)) best = found
  }
  const tried = new Set<number>()
  used.forEach(({ size, most }, at) => {
    if (orders[at]! < 1e-6 || orders[at]! > most - 1e-6 || tried.has(size)) return
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
  const byDistance = used.map((_, at) => at).filter((at) => orders[at]! > 1e-6 && orders[at]! < used[at]!.most - 1e-6)
  byDistance.sort((a, b) => Math.abs(orders[a]! - used[a]!.most / 2) - Math.abs(orders[b]! - used[b]!.most / 2))
  for (const at of byDistance) {
    const before: Rounding = best!
    down[at] = !down[at]
    take(before.divisor)
    if (best === before) down[at] = !down[at]
  }
  // CAST: as above.
  const chosen = best as Rounding | null
  if (chosen === null || chosen.score < LEAST_VIOLATION) return null
  return write(used, overAt, overSize, chosen)
}

type Rounding = {
  readonly divisor: number
  readonly score: number
  readonly violation: number
  readonly factors: readonly number[]
  readonly most: number
  readonly perSlack: number
}

function round(
  used: readonly CutEdge[],
  orders: readonly number[],
  down: readonly boolean[],
  limit: number,
  slack: number,
  divisor: number,
): Rounding | null {
  let right = limit
  used.forEach(({ size, most }, at) => {
    if (down[at]) right -= size * most
  })
  const beta = right / divisor
  const whole = Math.floor(beta)
  const part = beta - whole
  if (part < NEAREST || part > FARTHEST) return null
  const rounded = (value: number): number => {
    const floor = Math.floor(value + 1e-12)
    return floor + Math.max(0, value - floor - part) / (1 - part)
  }
  let [most, left, norm] = [whole, 0, 0]
  const factors = used.map(({ size, most: count }, at) => {
    const factor = down[at] ? -rounded(-size / divisor) : rounded(size / divisor)
    if (down[at]) most += factor * count
    left += factor * orders[at]!
    if (orders[at]! > 1e-6) norm += factor * factor
    return factor
  })
  const perSlack = 1 / (divisor * (1 - part))
  const violation = left - most - slack * perSlack
  return { divisor, violation, score: violation / Math.sqrt(norm + 1e-6), factors, most, perSlack }
}

function write(used: readonly CutEdge[], overAt: number, overSize: number, cut: Rounding): Cut {
  const columns: number[] = []
  const values: number[] = []
  const add = (column: number, value: number): void => {
    if (Math.abs(value) < 1e-10) return
    columns.push(column)
    values.push(value)
  }
  used.forEach(({ size, filledAt, unfilledAt }, at) => {
    add(filledAt, cut.factors[at]!)
    add(unfilledAt, cut.factors[at]! - size * cut.perSlack)
  })
  if (overAt >= 0) add(overAt, -overSize * cut.perSlack)
  return { columns, values, most: cut.most + 1e-9, violation: cut.violation }
}
