import type { CostLimit } from "#domain/order.ts"
import { buildCost } from "#schema/build-cost.ts"
import { choice, duration, flag, integer, shareOrFiat, text } from "#schema/leaves.ts"
import { orNone, required, withDefault } from "#schema/section.ts"
import { LEAST_PATIENCE_MS } from "../schedule/fee-timing.ts"
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
    "The highest loss of value of one swap of this rule, with the network fee of its " +
      "deposit. guards.max_cost applies too, so the stricter limit decides.",
  ),
  priority: withDefault(
    integer(-1_000, 1_000),
    0,
    "Where two rules need the same asset, the one with the higher priority gets it first; " +
      "between equals the order of the file decides. A rule that can place no order leaves the " +
      "asset to the next one.",
  ),
}

const GOALS =
  "The goal for a balance that left its bounds: target restores the target; edge restores " +
  "the nearest bound, and goes further toward the target where the fixed cost of an order " +
  "makes that cheaper"

/** The key `move` of kinds that keep bounds. */
export const goalKey = withDefault(choice(["target", "edge"]), "target", `${GOALS}.`)

/** The key `move` of bands. */
export const bandGoalKey = withDefault(
  choice(["target", "edge", "values"]),
  "target",
  `${GOALS}; values goes to where the flows of the last weeks make the next orders cheapest, and ` +
    "is edge until it knows 14 days.",
)

/** The key `patience` of kinds with sales that can wait. */
export const patienceKey = orNone(
  duration(LEAST_PATIENCE_MS),
  "How long a sale may wait for a network fee that is low among those of the last week. At the " +
    "latest after this time it goes at any fee. Ballast waits once it knows the fees of a day.",
)

/** The key `every` of standing kinds. */
export function everyKey(value: string) {
  return withDefault(duration(1_000), value, "The interval between two evaluations of the rule.")
}

export function buildRuleKeys({ id, enabled, max_cost: maxCost, priority }: RuleFile): {
  readonly id: string
  readonly enabled: boolean
  readonly maxCost: CostLimit | null
  readonly priority?: number
} {
  const limit = maxCost === null ? null : buildCost(maxCost)
  return { id, enabled, maxCost: limit, ...(priority === 0 ? {} : { priority }) }
}
