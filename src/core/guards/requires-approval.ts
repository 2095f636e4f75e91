import type { OrderPolicy, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"

/**
 * Whether an operator must approve the order before its deposit. An order without a known value
 * needs approval too.
 */
export function requiresApproval(order: {
  readonly policy: Pick<OrderPolicy, "approveAbove">
  readonly request: { readonly sourceUnits: bigint }
  readonly value?: OrderValue | null
  readonly quote: Quote | null
}): boolean {
  const { approveAbove } = order.policy
  if (approveAbove === null) return false
  if (approveAbove.kind === "units") return order.request.sourceUnits > approveAbove.units
  const fiat = order.value?.sourceFiat ?? order.quote?.sourceFiat ?? null
  return fiat === null || fiat > approveAbove.fiat
}
