import type { ChainTrust } from "#chains/family-definition.ts"

/** The sentence about a chain on which one endpoint alone is believed; `null` where at least two must agree. Pure. */
export function findTrustGap(chain: string, { endpoints, agree, worst }: ChainTrust): string | null {
  if (agree >= 2) return null
  const why = endpoints === 1 ? "it has one endpoint" : `agree is 1, with ${endpoints} endpoints`
  return `${chain}: ${why}, so one lying endpoint is believed (at worst: ${worst})`
}
