import type { Moment, ScenarioPolicy, SizedOrder } from "./scenario.ts"

/** Each asset outside its band goes to its target, by one order with the reserve. */
export const greedy: ScenarioPolicy = () => (moment) =>
  moment.scenario.band.flatMap((band, index) => {
    const balance = moment.balances[index] ?? 0
    if (band === null || (balance >= band[0] && balance <= band[2])) return []
    return orderTo(moment, index, band[1])
  })

function orderTo({ scenario, balances }: Moment, index: number, goal: number): SizedOrder[] {
  const reserve = scenario.band.indexOf(null)
  const usd = goal - (balances[index] ?? 0)
  if (usd <= 0) return [{ from: index, to: reserve, usd: -usd }]
  const gross = (usd + scenario.K) / (1 - scenario.bps / 10_000)
  return [{ from: reserve, to: index, usd: gross }]
}
