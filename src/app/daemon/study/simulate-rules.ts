import { backtestPolicies } from "#backtest/backtest-policies.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { Config } from "#config/config.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { toScenarioTraits, toSubject } from "./to-subject.ts"

export type SimulationQuery = {
  readonly days: number
  readonly seeds: number
  readonly seed: number
}

/** Everything is derived from the configuration. */
const NO_CHOICES: ScenarioChoices = {
  assets: new Map(),
  prices: new Map(),
  pair: {},
  pairs: new Map(),
  chains: new Map(),
  orders: {},
  flows: [],
  quotes: [],
}

/** The backtest of a configuration's rules in random markets, without its single runs. */
export async function simulateRules(
  config: Config,
  { days, seeds, seed }: SimulationQuery,
): Promise<object> {
  const subjects: readonly [Subject] = [
    toSubject(config.treasury, config, await createDirectSolver()),
  ]
  const scenario = deriveScenario(subjects, config.chains.map(toScenarioTraits), days, NO_CHOICES)
  const span = { first: seed, count: seeds }
  const { subjects: done, comparison } = backtestPolicies(subjects, scenario, span)
  const shown = done.map(({ name, summary }) => ({ name, summary }))
  return { seeds: span, scenario, subjects: shown, comparison }
}
