import type { CostPartsView } from "#daemon/views/view-decision.ts"

/** Configuration and prices know this one reference currency. */
const CURRENCY = "usd"

/** `0.42 usd`. */
export function inCurrency(fiat: string): string {
  return `${fiat} ${CURRENCY}`
}

/** The costs that only ceilings count. */
export function formatRisk(refund: string | null, locked: string | null): string {
  const parts = [
    ...(refund === null ? [] : [`${inCurrency(refund)} for a possible refund`]),
    ...(locked === null || Number(locked) === 0 ? [] : [`${inCurrency(locked)} for locked money`]),
  ]
  return parts.length === 0 ? "" : `; ceilings also count ${parts.join(" and ")}`
}

/** The parts of a cost in one line; empty where they are unknown. */
export function formatCostParts(parts: CostPartsView | null): string {
  if (parts === null) return ""
  const network =
    parts.network === null
      ? "network fees unknown or paid by a relay"
      : `${inCurrency(parts.network)} network fees`
  const refund =
    parts.refund === null ? "" : `; a refund would cost ${inCurrency(parts.refund)} more`
  return (
    `${inCurrency(parts.swap)} service fee and spread, ` +
    `${network}${refund}${formatRisk(parts.refundRisk, parts.locked)}`
  )
}
