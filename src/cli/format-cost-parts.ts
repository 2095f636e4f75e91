import type { CostPartsView } from "#daemon/view-decision.ts"

/** The parts of a cost in one line; empty where they are unknown. A daemon of an earlier version sends none. */
export function formatCostParts(parts: CostPartsView | null | undefined): string {
  if (parts == null) return ""
  const network = parts.network === null ? "network fees unknown or paid by a relay" : `${parts.network} network fees`
  const refund = parts.refund === null ? "" : `; a refund would cost ${parts.refund} more`
  return `${parts.swap} service fee and spread, ${network}${refund}`
}
