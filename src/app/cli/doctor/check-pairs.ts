import type { Config, ServiceConfig } from "#config/config.ts"
import { formatUnits } from "#domain/amount.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { RulePair } from "#policy/rules/rule-kind.ts"
import type { ServiceProbe } from "#service/probe.ts"
import { type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

type Pair = Pick<RulePair, "from" | "to">

/** The pairs of the rules, as the service's own lists have them: closed ones, and empty ones. */
export async function checkPairs(
  { rules, assets }: Pick<Config, "rules" | "assets">,
  { url }: Pick<ServiceConfig, "url">,
  askPair: ServiceProbe["askPair"],
): Promise<Diagnosis[]> {
  const check = `pairs ${new URL(url).host}`
  const pairs = listPairs(rules)
  const states = await Promise.all(
    pairs.map(async (pair) => ({ pair, state: await askPair(pair) })),
  )
  const found = states.flatMap(({ pair: { from, to }, state }) => {
    const name = `${from} to ${to}`
    if (state.closedBy !== null) {
      const by = state.closedBy === "policy" ? "its policy" : "an asset that is not active"
      return [doubtful(check, `the service closed ${name}, by ${by}`, CLOSED)]
    }
    return state.liquidityUnits === 0n
      ? [doubtful(check, `no solver has ${to} for ${name}`, EMPTY)]
      : []
  })
  if (found.length > 0 || pairs.length === 0) return found
  const shown = states.flatMap(({ pair: { to }, state: { liquidityUnits: units } }) => {
    const decimals = assets.find(({ id }) => id === to)?.decimals
    return units === null || decimals === undefined ? [] : [`${formatUnits(units, decimals)} ${to}`]
  })
  const held = shown.length === 0 ? "" : `; solvers have ${[...new Set(shown)].join(", ")}`
  return [healthy(check, `none of ${pairs.length} pairs of the rules is closed${held}`)]
}

const CLOSED = "Wait until the service opens the pair, or name another source or sink in the rule."
const EMPTY = "Wait, or name another sink: orders of this pair would not be filled."

function listPairs(rules: Config["rules"]): readonly Pair[] {
  const pairs = rules.flatMap((rule): readonly Pair[] => {
    const kind = ruleKindOf(rule)
    if (kind.wake === "every") return kind.pairsOf?.(rule) ?? []
    return "from" in rule && "to" in rule ? [{ from: rule.from, to: rule.to }] : []
  })
  return [...new Map(pairs.map(({ from, to }) => [`${from} ${to}`, { from, to }])).values()]
}
