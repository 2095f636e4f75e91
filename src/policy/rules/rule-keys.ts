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
  enabled: withDefault(flag, true, "false keeps the rule in the file without evaluating it."),
  max_cost: orNone(
    shareOrFiat,
    "The highest loss of value of one swap of this rule. guards.max_cost applies too, so the stricter limit decides.",
  ),
}

/** The key `move` of kinds that keep bounds. */
export const goalKey = withDefault(
  choice(["target", "edge"]),
  "target",
  "The goal for a balance that left its bounds: target restores the target, edge only the nearest bound.",
)

/** The key `every` of standing kinds. */
export function everyKey(value: string) {
  return withDefault(duration(1_000), value, "The interval between two evaluations of the rule.")
}

export function buildRuleKeys({ id, enabled, max_cost: maxCost }: RuleFile): {
  readonly id: string
  readonly enabled: boolean
  readonly maxCost: CostLimit | null
} {
  return { id, enabled, maxCost: maxCost === null ? null : buildCost(maxCost) }
}
