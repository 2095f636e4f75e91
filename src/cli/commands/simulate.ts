import { writeFileSync } from "node:fs"
import { deriveScenario, type ScenarioChoices } from "#backtest/derive-scenario.ts"
import { plotBacktest } from "#backtest/plot-backtest.ts"
import { runBacktest } from "#backtest/run-backtest.ts"
import type { Scenario } from "#backtest/scenario.ts"
import type { Subject } from "#backtest/subject.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { parseUnits } from "#domain/amount.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { formatBacktest } from "../simulate/format-backtest.ts"
import { parseFlows, parseQuotes } from "../simulate/read-records.ts"
import { parseScenario, readInput, readScenario } from "../simulate/read-scenario.ts"
import { toChainTraits, toSubject } from "../simulate/to-subject.ts"

/**
 * Backtests a policy, or compares two, in random or recorded markets: real rules, planner and guards in virtual time. Sends no request, needs no keys.
 *
 * Throws `simulate.*` for a scenario or record that cannot be used.
 */
export async function simulateCommand(invocation: Invocation): Promise<number> {
  const { options } = invocation
  const seeds = {
    first: wholeNumber(options["seed"], "seed", { fallback: 1, min: 0, max: 2 ** 31 }),
    count: wholeNumber(options["seeds"], "seeds", { fallback: 20, min: 1, max: 10_000 }),
  }
  const config = openConfigForReading(invocation)
  const other = textOf(options["against"])
  const configs = other === null ? [config] : [config, openConfigForReading({ ...invocation, config: other })]
  const names = [invocation.config ?? "the configuration", other ?? ""]
  const subjects = configs.map((one, index) => toSubject(names[index] ?? "", one))
  const scenario = buildScenario(invocation, configs, subjects)
  const backtest = runBacktest(subjects, scenario, seeds)
  const plot = textOf(options["plot"])
  if (plot !== null) writePlot(plot, plotBacktest(backtest, subjects, scenario))
  if (invocation.json) invocation.print(plainJson({ seeds, scenario, ...backtest }, 2))
  else invocation.print(formatBacktest(backtest, scenario, seeds))
  return EXIT.ok
}

function buildScenario({ options }: Invocation, configs: readonly Config[], subjects: readonly Subject[]): Scenario {
  const [file, flows, quotes] = [textOf(options["scenario"]), textOf(options["flows"]), textOf(options["quotes"])]
  const chosen = file === null ? parseScenario("", "no scenario", configs) : readScenario(file, configs)
  const recorded = {
    flows: flows === null ? [] : parseFlows(readInput(flows), flows, configs),
    quotes: quotes === null ? [] : parseQuotes(readInput(quotes), quotes, configs),
  }
  const span = spanOf([...recorded.flows, ...recorded.quotes])
  const startMs = chosen.startMs ?? span?.startMs
  const choices: ScenarioChoices = {
    ...chosen,
    ...recorded,
    ...(startMs === undefined ? {} : { startMs }),
    assets: readBalances(textOf(options["balances"]), configs, chosen.assets),
  }
  const fallback = startMs === undefined || span === null ? 90 : Math.max(1, Math.ceil((span.endMs - startMs) / DAY_MS))
  const days = wholeNumber(options["days"], "days", { fallback, min: 1, max: 3_650 })
  const traits = configs.flatMap(({ chains }) => chains.map(toChainTraits))
  const [first, ...others] = subjects
  if (first === undefined) throw usage("a configuration is missing")
  return deriveScenario([first, ...others], traits, days, choices)
}

const DAY_MS = 86_400_000

/** The span of a record begins with the day of its first row. */
function spanOf(rows: readonly { readonly atMs: number }[]): { startMs: number; endMs: number } | null {
  if (rows.length === 0) return null
  const times = rows.map(({ atMs }) => atMs)
  const firstMs = times.reduce((a, b) => Math.min(a, b))
  return { startMs: Math.floor(firstMs / DAY_MS) * DAY_MS, endMs: times.reduce((a, b) => Math.max(a, b)) }
}

function textOf(option: string | boolean | undefined): string | null {
  return typeof option === "string" ? option : null
}

function wholeNumber(
  option: string | boolean | undefined,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = textOf(option)
  if (text === null) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usage(`--${name} takes a whole number from ${min} to ${max}`)
}

/** `asset=amount,…` in the assets' own units; goes before the scenario's. */
function readBalances(
  text: string | null,
  configs: readonly Config[],
  chosen: ScenarioChoices["assets"],
): ScenarioChoices["assets"] {
  const assets = new Map(chosen)
  for (const part of text === null ? [] : text.split(",")) {
    const [id = "", amount = ""] = part.split("=")
    const asset = configs.flatMap((config) => config.assets).find((one) => one.id === id.trim())
    if (!asset) throw usage(`--balances: ${id} is not a configured asset; expected asset=amount,…`)
    assets.set(asset.id, { ...assets.get(asset.id), startUnits: parseUnits(amount, asset.decimals) })
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
    throw new AppError({ code: "simulate.unwritable", disposition: "refused", message, cause: error })
  }
}

function usage(message: string): AppError {
  return new AppError({ code: "cli.usage", disposition: "refused", message })
}
