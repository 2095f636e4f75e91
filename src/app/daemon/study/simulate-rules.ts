import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { fitDays } from "#backtest/fit-days.ts"
import { readPlot, readSpent } from "#backtest/plot/read-plots.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import { changeRule } from "#config/check/change-rule.ts"
import type { Config } from "#config/config.ts"
import type { AssetId } from "#domain/asset.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { mustExist } from "#lib/assert.ts"
import { type ConfiguredRule, ruleKindOf } from "#policy/rules/registry.ts"
import type { SimulationQuery } from "#schema/requests.ts"
import { toScenarioTraits, toSubject } from "./to-subject.ts"

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

/**
 * The backtest of a configuration's rules in random markets, without its single runs; with a
 * changed rule also of the rules with that change, under the same seeds. Fewer days where the asked
 * ones are expected to take longer than `mostMs`.
 *
 * Throws `config.invalid` (refused) for a change that the checks of a file refuse.
 */
export async function simulateRules(
  config: Config,
  written: unknown,
  { days, seeds, seed, rule: id, change }: SimulationQuery,
  { now, mostMs }: { readonly now: () => number; readonly mostMs: number },
): Promise<object> {
  const changed =
    id === undefined ? null : changeRule(written, id, readChange(change ?? ""), config.assets)
  const solve = await createDirectSolver()
  const inForce = toSubject(config.treasury, config, solve)
  const subjects: readonly [Subject, ...Subject[]] =
    changed === null ? [inForce] : [inForce, toSubject("changed", withRule(config, changed), solve)]
  const traits = config.chains.map(toScenarioTraits)
  const scenarioOf = (length: number) => deriveScenario(subjects, traits, length, NO_CHOICES)
  const fitted = fitDays({ days, seeds }, mostMs, (length) => {
    const beganMs = now()
    backtestPolicies(subjects, scenarioOf(length), { first: seed, count: 1 })
    return now() - beganMs
  })
  const scenario = scenarioOf(fitted.days)
  const span = { first: seed, count: fitted.seeds }
  const done = backtestPolicies(subjects, scenario, span)
  const plots = (changed === null ? [] : assetsOf(changed)).map((id) =>
    readPlot(
      mustExist(
        config.assets.find((one) => one.id === id),
        `the asset ${id}`,
      ),
      done,
      subjects,
    ),
  )
  const shown = done.subjects.map((one) => ({
    name: one.name,
    summary: one.summary,
    ...readSpent(one),
  }))
  return { seeds: span, scenario, subjects: shown, comparison: done.comparison, plots }
}

function readChange(change: string): Readonly<Record<string, string>> {
  const pairs = change.split(",").filter((pair) => pair !== "")
  return Object.fromEntries(pairs.map((pair) => pair.split("=", 2)))
}

function withRule(config: Config, changed: ConfiguredRule): Config {
  return { ...config, rules: config.rules.map((rule) => (rule.id === changed.id ? changed : rule)) }
}

/** Those that the rule keeps within bounds, else those that it reads or swaps. */
function assetsOf(rule: ConfiguredRule): readonly AssetId[] {
  const kind = ruleKindOf(rule)
  const kept = kind.balanceBounds(rule).map(({ asset }) => asset)
  const pair = kind.wake === "schedule" ? Object.values(kind.pairOf(rule)) : []
  return [...new Set(kept.length > 0 ? kept : [...kind.watchedAssets(rule), ...pair])]
}
