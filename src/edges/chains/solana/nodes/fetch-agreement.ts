import type { AgreementReport } from "#ports/chain/balances.ts"
import type { Commitment } from "../node.ts"
import { type Endpoints, MOST_SPREAD_SLOTS, readHeads } from "./endpoints.ts"

/**
 * Reports how many endpoints are at about the same slot now. Throws the error of an endpoint
 * (transient) if none answers.
 */
export async function fetchAgreement(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<AgreementReport> {
  const { slots, reasons } = await readHeads(endpoints, commitment)
  const newest = slots.reduce((high, slot) => (slot > high ? slot : high), 0n)
  const agreeing = slots.filter((slot) => slot + MOST_SPREAD_SLOTS >= newest).length
  return { endpoints: endpoints.all.length, needed: endpoints.needed, agreeing, reasons }
}
