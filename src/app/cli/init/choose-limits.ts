import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { parseConfig } from "#config/load.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { BalanceBounds } from "#policy/rules/rule-kind.ts"
import { parseScenario } from "../simulate/read-scenario.ts"

/** Limits of a first configuration: in whole units of fiat, and in basis points. */
export type FirstLimits = { readonly maxOrderFiat: number; readonly maxCostBps: number }

/** The limits of a configuration without a rule. */
export const SMALLEST_LIMITS: FirstLimits = { maxOrderFiat: 50, maxCostBps: 100 }

/**
 * The smallest limits with which the rule moves in the simulator, at its own assumed costs: about
 * one dollar, 30 basis points, and the network fees of the chains. `null` if no limits of the list
 * let it move. `write` gives the text of the configuration with these limits.
 *
 * An asset whose price the simulator does not know keeps the smallest limits: there
 * `ballast simulate` needs a scenario anyway.
 */
export function chooseLimits(write: (limits: FirstLimits) => string): FirstLimits | null {
  try {
    return LIMITS.find((limits) => moves(write(limits))) ?? null
  } catch (error) {
    if (error instanceof AppError && error.code === "simulate.price_missing") return SMALLEST_LIMITS
    throw error
  }
}

/**
 * A higher cost is worse than a larger order, and never more than a tenth of it. Smaller orders are
 * left out where a dollar and 30 basis points are above the cost already: below 143, 59, 22 and 11.
 */
const LIMITS: readonly FirstLimits[] = [
  { maxCostBps: 100, maxOrderFiat: 200 },
  { maxCostBps: 100, maxOrderFiat: 500 },
  { maxCostBps: 100, maxOrderFiat: 1_000 },
  { maxCostBps: 200, maxOrderFiat: 100 },
  { maxCostBps: 200, maxOrderFiat: 500 },
  { maxCostBps: 500, maxOrderFiat: 50 },
  { maxCostBps: 500, maxOrderFiat: 200 },
  { maxCostBps: 1_000, maxOrderFiat: 50 },
  { maxCostBps: 1_000, maxOrderFiat: 200 },
]

/** On each side of the band on which the balance can come to lie. */
function moves(text: string): boolean {
  const config = parseConfig(text, {
    file: "ballast.yaml",
    secrets: (reference) => new Secret("", reference),
  })
  const subject = toSubject("the first configuration", config)
  const traits = config.chains.map(toScenarioTraits)
  const choices = { ...parseScenario("", "no scenario", [config]), flows: [], quotes: [] }
  const bounds = config.rules.flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
  return bounds.flatMap(startsOutside).every(([asset, startUnits]) => {
    const assets = new Map([...choices.assets, [asset, { startUnits, volatilityUnits: 0n }]])
    const scenario = deriveScenario([subject], traits, DAYS, { ...choices, assets })
    const [tried] = backtestPolicies([subject], scenario, { first: 1, count: RUNS }).subjects
    return tried !== undefined && tried.summary.moves.p50 > 0
  })
}

/** Just outside, where the order that leads back is smallest and so dearest for its worth. */
function startsOutside({ asset, minUnits, maxUnits }: BalanceBounds): [AssetId, bigint][] {
  const below = minUnits - minUnits / 50n
  return maxUnits === null
    ? [[asset, below]]
    : [
        [asset, below],
        [asset, maxUnits + maxUnits / 50n],
      ]
}

const DAYS = 2
/** In one of them the service declines, or an approval is late. */
const RUNS = 3
