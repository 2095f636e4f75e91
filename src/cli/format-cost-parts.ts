import type { CostPartsView } from "#daemon/view-decision.ts"

/** Configuration and prices know this one reference currency. */
const CURRENCY = "usd"

/** `0.42 usd`. */
export function inCurrency(fiat: string): string {
  return `${fiat} ${CURRENCY}`
}

/** The parts of a cost in one line; empty where they are unknown. A daemon of an earlier version sends none. */
export function formatCostParts(parts: CostPartsView | null | undefined): string {
  if (parts == null) return ""
  const network =
    parts.network === null ? "network fees unknown or paid by a relay" : `${inCurrency(parts.network)} network fees`
  const refund = parts.refund === null ? "" : `; a refund would cost ${inCurrency(parts.refund)} more`
  return `${inCurrency(parts.swap)} service fee and spread, ${network}${refund}`
}
