/**
 * A treasury of 90 days with known flows, in whole usd: a hub of banded assets and a reserve, one
 * cost for each order between any two of them.
 */
export type Scenario = {
  readonly name: string
  readonly kind: string
  readonly assets: readonly string[]
  readonly start: readonly number[]
  /** `[min, target, max]`; `null` for an asset without bounds. */
  readonly band: readonly (readonly [number, number, number] | null)[]
  /** The fixed cost of an order in usd. */
  readonly K: number
  readonly bps: number
  readonly periodH: number
  readonly periods: number
  /** For each period, the flow of each asset. */
  readonly flows: readonly (readonly number[])[]
  /** What other policies cost, the clairvoyant among them. */
  readonly costUsd?: Readonly<Record<string, number>>
}

/** A policy moves `usd` from one asset to another; what arrives is less by the cost. */
export type SizedOrder = { readonly from: number; readonly to: number; readonly usd: number }

/** The balances after the flow of a period, and the flows up to it. */
export type Moment = {
  readonly scenario: Scenario
  readonly period: number
  readonly balances: readonly number[]
}

export type ScenarioPolicy = (scenario: Scenario) => (moment: Moment) => readonly SizedOrder[]

export type ScenarioResult = {
  readonly costUsd: number
  readonly orders: number
  /** Periods that end with an asset outside its band, per asset and period. */
  readonly outside: number
}

/**
 * The cost of a policy: of its orders, and at the end the share for the way of each asset back to
 * its target, so that no policy profits from what it leaves undone.
 */
export function runScenario(scenario: Scenario, policy: ScenarioPolicy): ScenarioResult {
  const share = scenario.bps / 10_000
  const decide = policy(scenario)
  const balances = [...scenario.start]
  let costUsd = 0
  let orders = 0
  let outside = 0
  for (const [period, flows] of scenario.flows.entries()) {
    for (const [index, flow] of flows.entries()) balances[index] = (balances[index] ?? 0) + flow
    for (const { from, to, usd } of decide({ scenario, period, balances: [...balances] })) {
      const cost = scenario.K + share * usd
      balances[from] = (balances[from] ?? 0) - usd
      balances[to] = (balances[to] ?? 0) + usd - cost
      costUsd += cost
      orders += 1
    }
    outside += scenario.band.filter((band, index) => isOutside(balances[index] ?? 0, band)).length
  }
  for (const [index, band] of scenario.band.entries()) {
    if (band !== null) costUsd += share * Math.abs((balances[index] ?? 0) - band[1])
  }
  return { costUsd, orders, outside }
}

/** A cent of rounding is not outside. */
function isOutside(balance: number, band: Scenario["band"][number]): boolean {
  return band !== null && (balance < band[0] - 0.01 || balance > band[2] + 0.01)
}
