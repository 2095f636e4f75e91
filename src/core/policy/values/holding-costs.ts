import type { HoldingPoint } from "../treasury-view.ts"
import type { FlowForecast } from "./forecast-flow.ts"

/** A band and what an order costs that brings its asset back, in fiat millionths. */
type HeldBand = {
  readonly minUnits: bigint
  readonly maxUnits: bigint
  readonly fixedFiat: number
  /** Of moving one unit. */
  readonly fiatPerUnit: number
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
  { means, residuals }: FlowForecast,
  today: number,
): HoldingPoint[] {
  const step = Number(band.maxUnits - band.minUnits) / STEPS
  if (!(step > 0)) return []
  const stepFiat = step * band.fiatPerUnit
  let costs = new Array<number>(STEPS + 1).fill(0)
  for (let ahead = WEEKS * 7; ahead > 0; ahead -= 1) {
    const flow = means[(today + ahead) % 7] ?? 0
    costs = dayBefore(
      costs,
      { ...band, stepFiat },
      residuals.map((rest) => (flow + rest) / step),
    )
  }
  const least = Math.min(...costs)
  return costs.map((cost, index) => ({
    units: band.minUnits + (BigInt(index) * (band.maxUnits - band.minUnits)) / BigInt(STEPS),
    costFiat: BigInt(Math.round(cost - least)),
  }))
}

/** `flows` in steps, equally probable. */
function dayBefore(
  costs: readonly number[],
  { fixedFiat, stepFiat }: { readonly fixedFiat: number; readonly stepFiat: number },
  flows: readonly number[],
): number[] {
  const refilled = fixedFiat + Math.min(...costs.map((cost, at) => cost + at * stepFiat))
  const drained = fixedFiat + Math.min(...costs.map((cost, at) => cost + (STEPS - at) * stepFiat))
  const costAt = (at: number): number => {
    if (at < 0) return refilled - at * stepFiat
    if (at > STEPS) return drained + (at - STEPS) * stepFiat
    const low = Math.min(Math.floor(at), STEPS - 1)
    const a = costs[low] ?? 0
    return a + ((costs[low + 1] ?? 0) - a) * (at - low)
  }
  return costs.map(
    (_, at) => flows.reduce((sum, flow) => sum + costAt(at + flow), 0) / flows.length,
  )
}
