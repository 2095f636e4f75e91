import { chainOf } from "#domain/asset.ts"
import type { OrderCount } from "./limits.ts"
import type { Route } from "./route.ts"

/**
 * Whether an order on the route counts for a limit of orders. An order that serves two rules counts
 * for both.
 */
export function isCounted(
  { pair, rule, chain }: OrderCount,
  { from, to, loss, gain }: Route,
): boolean {
  const source = from.asset.id
  const sink = to.asset.id
  if (pair !== undefined && (pair.from !== source || pair.to !== sink)) return false
  if (rule !== undefined && loss?.rule !== rule && gain?.rule !== rule) return false
  return chain === undefined || [source, sink].some((id) => chainOf(id) === chain)
}
