import type { Ceiling, OrderPolicy, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"

export type ApprovedOrder = {
  readonly policy: Pick<OrderPolicy, "approveAbove" | "approveSteps">
  readonly request: { readonly sourceUnits: bigint }
  readonly value?: OrderValue | null
  readonly quote: Quote | null
}

/**
 * Whether an operator must approve the order before its deposit. An order without a known value
 * needs approval too.
 */
export function requiresApproval(order: ApprovedOrder): boolean {
  return decideApprovers(order) > 0
}

/** The number of people that must approve the order: the most that one of its steps asks for. */
export function decideApprovers(order: ApprovedOrder): number {
  const { approveAbove, approveSteps = [] } = order.policy
  const steps = approveAbove === null ? [] : [{ over: approveAbove, people: 1 }]
  const passed = [...steps, ...approveSteps].filter(({ over }) => isAbove(order, over))
  return Math.max(0, ...passed.map(({ people }) => people))
}

function isAbove({ request, value, quote }: ApprovedOrder, over: Ceiling): boolean {
  if (over.kind === "units") return request.sourceUnits > over.units
  const fiat = value?.sourceFiat ?? quote?.sourceFiat ?? null
  return fiat === null || fiat > over.fiat
}
