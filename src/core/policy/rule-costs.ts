import type { CostLimit, OrderPolicy } from "#domain/order.ts"
import type { Rule } from "./rules/rule-kind.ts"

/**
 * The ceilings of an order beside the general one, as its policy holds them: those of all rules
 * that it serves.
 */
export function ruleCosts(
  rules: readonly Rule[],
  proposal: { readonly rules: readonly string[]; readonly maxCosts?: readonly CostLimit[] },
): Pick<OrderPolicy, "ruleMaxCost" | "alsoMaxCosts"> {
  const own = proposal.rules.map((id) => rules.find((rule) => rule.id === id)?.maxCost ?? null)
  const [first = null, ...others] = proposal.maxCosts ?? own.filter((limit) => limit !== null)
  return { ruleMaxCost: first, ...(others.length > 0 ? { alsoMaxCosts: others } : {}) }
}
