import type { CostLimit } from "#domain/order.ts"
import type { PolicyRule } from "./policy-rule.ts"

/** An order that serves two rules is placed for the one that lets it cost more; the other only profits (`order-bounds.ts`). */
export function widestCost(rules: readonly PolicyRule[], ids: readonly string[]): CostLimit | null {
  const costs = ids.map((id) => rules.find((rule) => rule.id === id)?.maxCost ?? null)
  const [first = null, second = first] = costs
  if (first === null || second === null) return null
  if (first.kind === "share" && second.kind === "share") return first.bps >= second.bps ? first : second
  if (first.kind === "fiat" && second.kind === "fiat") return first.fiat >= second.fiat ? first : second
  return null
}
