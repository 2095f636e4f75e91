import type { HoldingPoint } from "../treasury-view.ts"
import type { FlowForecast } from "./forecast-flow.ts"

/** What an order costs, in fiat millionths: once, and for each unit that it moves. */
export type ShiftCost = { readonly fixedFiat: number; readonly fiatPerUnit: number }

/** A band, and what the orders cost that bring its asset back from below and from above. */
type HeldBand = {
  readonly minUnits: bigint
  readonly maxUnits: bigint
  readonly refill: ShiftCost
  readonly drain: ShiftCost
}

const STEPS = 60

/** The weeks that the program looks ahead. Differences between amounts change little after them. */
const WEEKS = 8

/**
 * The cost of the orders to come, by the amount that is held after today's orders.
 *
 * Dynamic programming backwards over days. A day's flow moves the balance; within the band nothing
 * happens, and outside an order brings it to the amount that costs least from there on. So an
 * amount is dear when the flow will soon carry it out of its band, and less so when a later flow
 * would bring it back by itself.
 */
export function holdingCosts(
  band: HeldBand,
  forecast: FlowForecast,
  today: number,
): HoldingPoint[] {
  const step = Number(band.maxUnits - band.minUnits) / STEPS
  if (!(step > 0)) return []
  const refillStep = step * band.refill.fiatPerUnit
  const drainStep = step * band.drain.fiatPerUnit
  const parts = partsOfDay(forecast, step)
  // A part has its share of the mean and, as the parts vary by themselves, of the variance.
  const flowOf = (mean: number, rest: number): number =>
    (mean / parts + rest / Math.sqrt(parts)) / step
  // The same day of each week has the same flows.
  const flows = forecast.means.map((mean) =>
    Float64Array.from(forecast.residuals, (rest) => flowOf(mean, rest)),
  )
  let costs = new Float64Array(STEPS + 1)
  for (let ahead = WEEKS * 7; ahead > 0; ahead -= 1)
    for (let part = 0; part < parts; part += 1)
      costs = partBefore(
        costs,
        { ...band, refillStep, drainStep },
        flows[(today + ahead) % 7] ?? NO_FLOWS,
      )
  const least = Math.min(...costs)
  return Array.from(costs, (cost, index) => ({
    units: band.minUnits + (BigInt(index) * (band.maxUnits - band.minUnits)) / BigInt(STEPS),
    costFiat: BigInt(Math.round(cost - least)),
  }))
}

/** More parts of a day change little. */
const MOST_PARTS = 8

/**
 * A day of many payments goes up and down before its end, and each way out of the band needs an
 * order, so such a day has parts. Parts smaller than a step would drown in the rounding to steps.
 */
function partsOfDay({ residuals, changes }: FlowForecast, step: number): number {
  const variance = residuals.reduce((sum, rest) => sum + rest * rest, 0) / residuals.length
  const most = Math.min(MOST_PARTS, Math.round(changes), Math.floor(variance / (step * step)))
  return Math.max(1, most)
}

/** What it costs to move one step. */
type Steps = { readonly refillStep: number; readonly drainStep: number }

const NO_FLOWS = new Float64Array(1)

/**
 * `flows` in steps, equally probable. The loops have no calls: a day of an asset takes thousands of
 * their turns.
 */
function partBefore(
  costs: Float64Array,
  { refill, drain, refillStep, drainStep }: HeldBand & Steps,
  flows: Float64Array,
): Float64Array<ArrayBuffer> {
  const refilled = refill.fixedFiat + Math.min(...costs.map((cost, at) => cost + at * refillStep))
  const drained =
    drain.fixedFiat + Math.min(...costs.map((cost, at) => cost + (STEPS - at) * drainStep))
  const sums = new Float64Array(STEPS + 1)
  for (const flow of flows) {
    // The amounts that this flow leaves within the band: the others need an order.
    const first = Math.min(STEPS + 1, Math.max(0, Math.ceil(-flow)))
    const last = Math.max(-1, Math.min(STEPS, Math.floor(STEPS - flow)))
    const whole = Math.floor(flow)
    const part = flow - whole
    for (let at = 0; at < first; at += 1)
      sums[at] = (sums[at] ?? 0) + refilled - (at + flow) * refillStep
    for (let at = first; at <= last; at += 1) {
      const low = costs[at + whole] ?? 0
      sums[at] = (sums[at] ?? 0) + low + part * ((costs[at + whole + 1] ?? low) - low)
    }
    for (let at = last + 1; at <= STEPS; at += 1)
      sums[at] = (sums[at] ?? 0) + drained + (at + flow - STEPS) * drainStep
  }
  return sums.map((sum) => sum / flows.length)
}
