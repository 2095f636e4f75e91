import { writeFileSync } from "node:fs"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { fitDays, type Span } from "#backtest/fit-days.ts"
import { plotBacktest } from "#backtest/plot/plot-backtest.ts"
import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import { parseUnits } from "#domain/amount.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { formatBacktest } from "../../simulate/format-backtest.ts"
import { parseFlows, parseQuotes } from "../../simulate/read-records.ts"
import { parseScenario, readInput, readScenario } from "../../simulate/read-scenario.ts"
import { usageError } from "../../usage-error.ts"

type BacktestChoices = {
  readonly days: number | null
  readonly within: number | null
  readonly seeds: number
  readonly seed: number
  readonly against: string | null
  readonly scenario: string | null
  readonly balances: string | null
  readonly flows: string | null
  readonly quotes: string | null
  readonly plot: string | null
}

/**
 * Runs a policy, or two for comparison, in random or recorded markets: the real rules, planner and
 * guards in virtual time. It needs neither network nor keys.
 *
 * Throws `simulate.*` for an unusable scenario or record.
 */
export async function runBacktest(
  context: CommandContext,
  choices: BacktestChoices,
): Promise<number> {
  const config = openConfigForReading(context)
  const { against, plot } = choices
  const configs =
    against === null ? [config] : [config, openConfigForReading({ ...context, config: against })]
  const names = [context.config ?? "the configuration", against ?? ""]
  const solve = await createDirectSolver()
  const subjects = configs.map((one, index) => toSubject(names[index] ?? "", one, solve))
  const asked = buildScenario(choices, configs, subjects)
  const span = fitSpan(context, choices, asked.days, (days, count) =>
    backtestPolicies(subjects, { ...asked, days }, { first: choices.seed, count }),
  )
  const scenario = { ...asked, days: span.days }
  const seeds = { first: choices.seed, count: span.seeds }
  const backtest = backtestPolicies(subjects, scenario, seeds, (done, runs) =>
    context.progress(`Run ${done + 1} of ${runs}, ${scenario.days} days each …`),
  )
  context.progress(null)
  if (plot !== null) writePlot(plot, plotBacktest(backtest, subjects, scenario))
  if (context.json) context.print(plainJson({ seeds, scenario, ...backtest }, 2))
  else context.print(formatBacktest(backtest, scenario, seeds))
  return EXIT.ok
}

/** Without `--within` the runs take the time that they take. */
function fitSpan(
  { clock, warn }: CommandContext,
  { within, seeds }: BacktestChoices,
  days: number,
  run: (days: number, seeds: number) => void,
): Span {
  if (within === null) return { days, seeds }
  const fitted = fitDays({ days, seeds }, within * 1_000, (length) => {
    const beganMs = clock.now()
    run(length, 1)
    return clock.now() - beganMs
  })
  if (fitted.days < days || fitted.seeds < seeds)
    warn(
      `The rules look too often for ${seeds} runs of ${days} days within ${within} s, so these ` +
        `are ${fitted.seeds} of ${fitted.days}.`,
    )
  return fitted
}

function buildScenario(
  { days, scenario, balances, flows, quotes }: BacktestChoices,
  configs: readonly Config[],
  subjects: readonly Subject[],
): Scenario {
  const chosen =
    scenario === null ? parseScenario("", "no scenario", configs) : readScenario(scenario, configs)
  const recorded = {
    flows: flows === null ? [] : parseFlows(readInput(flows), flows, configs),
    quotes: quotes === null ? [] : parseQuotes(readInput(quotes), quotes, configs),
  }
  const span = spanOf([...recorded.flows, ...recorded.quotes])
  const startMs = chosen.startMs ?? span?.startMs
  const merged: ScenarioChoices = {
    ...chosen,
    ...recorded,
    ...(startMs === undefined ? {} : { startMs }),
    assets: readBalances(balances, configs, chosen.assets),
  }
  const fallback =
    startMs === undefined || span === null
      ? 90
      : Math.max(1, Math.ceil((span.endMs - startMs) / DAY_MS))
  const traits = configs.flatMap(({ chains }) => chains.map(toScenarioTraits))
  const [first, ...others] = subjects
  if (first === undefined) throw usageError("a configuration is missing")
  return deriveScenario([first, ...others], traits, days ?? fallback, merged)
}

const DAY_MS = 86_400_000

/** The span of a record starts at the beginning of the UTC day of its first row. */
function spanOf(
  rows: readonly { readonly atMs: number }[],
): { startMs: number; endMs: number } | null {
  if (rows.length === 0) return null
  const times = rows.map(({ atMs }) => atMs)
  const firstMs = times.reduce((a, b) => Math.min(a, b))
  return {
    startMs: Math.floor(firstMs / DAY_MS) * DAY_MS,
    endMs: times.reduce((a, b) => Math.max(a, b)),
  }
}

/**
 * Reads `asset=amount,…` in the assets' own units. These balances override those of the scenario.
 */
function readBalances(
  text: string | null,
  configs: readonly Config[],
  chosen: ScenarioChoices["assets"],
): ScenarioChoices["assets"] {
  const assets = new Map(chosen)
  for (const part of text === null ? [] : text.split(",")) {
    const [id = "", amount = ""] = part.split("=")
    const asset = configs.flatMap((config) => config.assets).find((one) => one.id === id.trim())
    if (!asset)
      throw usageError(`--balances: ${id} is not a configured asset; expected asset=amount,…`)
    assets.set(asset.id, {
      ...assets.get(asset.id),
      startUnits: parseUnits(amount, asset.decimals),
    })
  }
  return assets
}

/** Throws `simulate.unwritable` (refused). */
function writePlot(file: string, svg: string): void {
  try {
    writeFileSync(file, svg)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    const message = `${file} cannot be written (${code}); give --plot a file in an existing folder`
    throw new AppError({
      code: "simulate.unwritable",
      disposition: "refused",
      message,
      cause: error,
    })
  }
}
