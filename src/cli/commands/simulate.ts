import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { parseUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { deriveScenario, type ScenarioChoices } from "#simulation/derive-scenario.ts"
import { simulate } from "#simulation/simulate.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { formatSimulation } from "../simulate/format-simulation.ts"
import { toChainFacts, toSubject } from "../simulate/to-subject.ts"

/** Tries a policy, or two side by side, in random worlds: real rules, planner and guards in virtual time. Asks nobody, needs no keys. */
export async function simulateCommand(invocation: Invocation): Promise<number> {
  const { options } = invocation
  const days = wholeNumber(options["days"], "days", { fallback: 90, min: 1, max: 3_650 })
  const seeds = {
    first: wholeNumber(options["seed"], "seed", { fallback: 1, min: 0, max: 2 ** 31 }),
    count: wholeNumber(options["seeds"], "seeds", { fallback: 20, min: 1, max: 10_000 }),
  }
  const config = openConfigForReading(invocation)
  const other = options["against"]
  const others = typeof other === "string" ? [openConfigForReading({ ...invocation, config: other })] : []
  const subject = toSubject(invocation.config ?? "the configuration", config)
  const rivals = others.map((rival) => toSubject(String(other), rival))
  const facts = [config, ...others].flatMap(({ chains }) => chains.map(toChainFacts))
  const choices = { ...NO_CHOICES, assets: readBalances(options["balances"], config) }
  const scenario = deriveScenario([subject, ...rivals], facts, days, choices)
  const simulation = simulate([subject, ...rivals], scenario, seeds)
  if (invocation.json) invocation.print(plainJson({ days, seeds, scenario, ...simulation }, 2))
  else invocation.print(formatSimulation(simulation, scenario, seeds))
  return EXIT.ok
}

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

function wholeNumber(
  text: string | boolean | undefined,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (text === undefined) return fallback
  const value = typeof text === "string" && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usage(`--${name} takes a whole number from ${min} to ${max}`)
}

/** `asset=amount,…` in the assets' own units. */
function readBalances(text: string | boolean | undefined, { assets }: Config): ScenarioChoices["assets"] {
  if (typeof text !== "string") return new Map()
  return new Map(
    text.split(",").map((part): [AssetId, { startUnits: bigint }] => {
      const [id = "", amount = ""] = part.split("=")
      const asset = assets.find((one) => one.id === id.trim())
      if (!asset) throw usage(`--balances: ${id} is not a configured asset; expected asset=amount,…`)
      return [asset.id, { startUnits: parseUnits(amount, asset.decimals) }]
    }),
  )
}

function usage(message: string): AppError {
  return new AppError({ code: "cli.usage", disposition: "refused", message })
}
