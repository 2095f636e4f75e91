import type { FindingName } from "./finding-kinds.ts"

/**
 * The finding about a chain on which one endpoint alone is believed; `null` where at least two must
 * agree. Pure.
 */
export function findTrustGap({ endpoints, agree }: Agreement): FindingName | null {
  if (agree >= 2) return null
  return endpoints === 1 ? "oneEndpoint" : "agreeOne"
}

type Agreement = { readonly endpoints: number; readonly agree: number }
