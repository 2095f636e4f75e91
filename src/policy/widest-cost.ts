import type { CostLimit } from "#domain/order.ts"
import type { Rule } from "./rules/rule-kind.ts"

/** The cost limit of an order that serves several rules: the widest of their limits, as in `order-bounds.ts`. */
export function widestCost(rules: readonly Rule[], ids: readonly string[]): CostLimit | null {
  const costs = ids.map((id) => rules.find((rule) => rule.id === id)?.maxCost ?? null)
  const [first = null, second = first] = costs
  if (first === null || second === null) return null
  if (first.kind === "share" && second.kind === "share") return first.bps >= second.bps ? first : second
  if (first.kind === "fiat" && second.kind === "fiat") return first.fiat >= second.fiat ? first : second
  return null
}
