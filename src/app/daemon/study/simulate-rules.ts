import { type BacktestedSubject, backtestPolicies } from "#backtest/backtest-policies.ts"
import { fitDays } from "#backtest/fit-days.ts"
import { percentilesOf } from "#backtest/results/percentiles.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import { changeRule } from "#config/check/change-rule.ts"
import type { Config } from "#config/config.ts"
import { formatUnits } from "#domain/amount.ts"
import type { Asset, AssetId } from "#domain/asset.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { mustExist } from "#lib/assert.ts"
import { type ConfiguredRule, ruleKindOf, type TimedRule } from "#policy/rules/registry.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { SimulationQuery } from "#schema/requests.ts"
import { toScenarioTraits, toSubject } from "./to-subject.ts"

type Plot = AnswerOf<"Simulation">["plots"][number]

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
const MOST_POINTS = 60

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
  const { subjects: done, comparison } = backtestPolicies(subjects, scenario, span)
  const plots =
    changed === null ? [] : assetsOf(changed).map((asset) => plotOf(asset, config, done, subjects))
  const shown = done.map(({ name, summary }) => ({ name, summary }))
  return { seeds: span, scenario, subjects: shown, comparison, plots }
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

function plotOf(
  id: AssetId,
  { assets }: Config,
  done: readonly BacktestedSubject[],
  subjects: readonly Subject[],
): Plot {
  const asset = mustExist(
    assets.find((one) => one.id === id),
    `the asset ${id}`,
  )
  return {
    asset: id,
    subjects: done.map(({ runs }, index) => ({
      points: pointsOf(runs.map(({ samples }) => samples.balances[id] ?? [])),
      bound: boundOf(asset, subjects[index]?.settings.rules ?? []),
    })),
  }
}

function pointsOf(curves: readonly (readonly number[])[]): Plot["subjects"][number]["points"] {
  const length = Math.min(...curves.map((curve) => curve.length))
  const count = Math.min(length, MOST_POINTS)
  return Array.from({ length: count }, (_, index) => {
    const at = Math.round((index * (length - 1)) / Math.max(1, count - 1))
    return percentilesOf(curves.map((curve) => curve[at] ?? 0))
  })
}

function boundOf(
  { id, decimals }: Asset,
  rules: readonly TimedRule[],
): Plot["subjects"][number]["bound"] {
  const found = rules
    .filter(({ enabled }) => enabled !== false)
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .find(({ asset }) => asset === id)
  if (found === undefined) return null
  const { minUnits, targetUnits, maxUnits } = found
  return {
    min: formatUnits(minUnits, decimals),
    target: formatUnits(targetUnits, decimals),
    max: maxUnits === null ? null : formatUnits(maxUnits, decimals),
  }
}
