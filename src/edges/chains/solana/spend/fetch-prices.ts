import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { Endpoints } from "../nodes/endpoints.ts"

/** 75 of 100 recent blocks accepted this price or less. */
const PRICE_PERCENTILE = 0.75

/**
 * One estimate of each endpoint: the price that recent blocks took from a transaction that writes
 * the most wanted of these accounts. An endpoint without recent fees has no estimate.
 */
export async function fetchPrices(
  accounts: readonly string[],
  endpoints: Endpoints,
): Promise<readonly bigint[]> {
  const answers = await endpoints.askEach(async ({ node }) => {
    const fees = await node({ commitment: "confirmed" }).fetchRecentFees(accounts)
    const recent = fees.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return recent[Math.floor(recent.length * PRICE_PERCENTILE)] ?? null
  })
  if (!answers.some(({ ok }) => ok)) throw firstFailure(answers)
  return answers.flatMap((answer) => (answer.ok ? (answer.value ?? []) : []))
}
