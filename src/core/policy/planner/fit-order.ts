import { boundLine, boundLost, type CostQuestion, keepsCosts } from "./order-costs.ts"
import {
  alignDown,
  alignUp,
  lostValue,
  payoutUnits,
  unitsForPayout,
  unitValue,
} from "./payout-rounding.ts"
import { valueIn } from "./route.ts"

/**
 * `least`: an order would need at least that much; `null` where no larger order keeps to the costs.
 */
export type Fit =
  | { readonly ok: true; readonly units: bigint }
  | { readonly ok: false; readonly least: bigint | null }

/** Each step asks for one more unit of the payout, or leaps over orders that are too dear. */
const MOST_STEPS = 500
/** Fewer, because a smaller order is known. */
const STEPS_DOWN = 50

/**
 * The smallest order of at least `least` that keeps to the costs after the rounding of its payout.
 * An order can be too dear between two that are not, because it pays as much as a smaller one.
 */
export function fitUp(question: CostQuestion, least: bigint, most: bigint | null): Fit {
  const { pair, rounding } = question
  let units = alignUp(pair, least, rounding)
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (most !== null && units > most) return { ok: false, least: units }
    if (keepsCosts(question, units)) return { ok: true, units }
    const next = nextSize(question, units)
    if (next === null) return { ok: false, least: null }
    units = next
  }
  // From here on all orders keep to the costs, however much their payout loses.
  const bounds = boundLine(question, rounding.most)
  if (bounds === null) return { ok: false, least: null }
  const sure = alignUp(pair, bounds.lo > units ? bounds.lo : units, rounding)
  const isFine = (most === null || sure <= most) && keepsCosts(question, sure)
  return isFine ? { ok: true, units: sure } : { ok: false, least: sure }
}

/** The next larger order that could keep to the costs; `null` for none. */
function nextSize(question: CostQuestion, units: bigint): bigint | null {
  const { pair, rounding } = question
  const { margin } = rounding
  const payout = payoutUnits(pair, valueIn(pair.from, units), margin)
  const next = unitsForPayout(pair, payout + 1n, margin)
  if (payout === 0n) return next
  // No larger order loses less than the cheapest one with this payout, by more than a unit sold.
  const fewest = unitsForPayout(pair, payout, margin)
  const sold = unitValue(pair.from)
  const slack = sold % unitValue(pair.to) === 0n ? 0n : sold
  const lost = lostValue(pair, valueIn(pair.from, fewest), rounding) - slack
  const bounds = boundLost(question, lost)
  if (bounds === null || (bounds.hi !== null && bounds.hi < next)) return null
  return alignUp(pair, bounds.lo > next ? bounds.lo : next, rounding)
}

/**
 * The largest order of at most `units` that keeps to the costs, or `least`, which keeps to them.
 */
export function fitDown(question: CostQuestion, units: bigint, least: bigint): bigint {
  const { pair, rounding } = question
  let most = alignDown(pair, units, rounding)
  for (let step = 0; step < STEPS_DOWN && most > least; step += 1) {
    if (keepsCosts(question, most)) return most
    const payout = payoutUnits(pair, valueIn(pair.from, most), rounding.margin)
    if (payout === 0n) return least
    const fewest = unitsForPayout(pair, payout, rounding.margin)
    if (fewest <= least) return bisect(question, least, most)
    if (keepsCosts(question, fewest)) return bisect(question, fewest, most)
    most = alignDown(pair, fewest - 1n, rounding)
  }
  return most > least ? bisect(question, least, most) : least
}

/** Between an order that keeps to the costs, and a larger one that does not. */
function bisect(question: CostQuestion, least: bigint, most: bigint): bigint {
  let good = least
  let bad = most
  while (bad - good > 1n) {
    const middle = (good + bad) / 2n
    if (keepsCosts(question, middle)) good = middle
    else bad = middle
  }
  const aligned = alignDown(question.pair, good, question.rounding)
  return aligned > least && keepsCosts(question, aligned) ? aligned : least
}
