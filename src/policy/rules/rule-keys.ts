import type { CostLimit } from "#domain/order.ts"
import { buildCost } from "#schema/build-cost.ts"
import { choice, duration, flag, shareOrFiat, text } from "#schema/leaves.ts"
import { orNone, required, withDefault } from "#schema/section.ts"
import type { RuleFile } from "./rule-kind.ts"

/** The schema of the keys that rules of every kind have. */
export const ruleKeys = {
  id: required(
    text(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "a name of letters, digits, - _ and ."),
    "The rule's name; unique.",
  ),
  enabled: withDefault(flag, true, "false keeps the rule in the file and out of work."),
  max_cost: orNone(
    shareOrFiat,
    "The most value that one swap of this rule may lose; guards.max_cost holds beside it, so the tighter of both decides.",
  ),
}

/** The key `move` of kinds that keep bounds. */
export const moveKey = withDefault(
  choice(["target", "edge"]),
  "target",
  "How far is moved what left its bounds: all the way to the target, or only back to the bound.",
)

/** The key `every` of standing kinds. */
export function everyKey(value: string) {
  return withDefault(duration(1_000), value, "How often the rule is looked at.")
}

export function buildRuleKeys({ id, enabled, max_cost: maxCost }: RuleFile): {
  readonly id: string
  readonly enabled: boolean
  readonly maxCost: CostLimit | null
} {
  return { id, enabled, maxCost: maxCost === null ? null : buildCost(maxCost) }
}
