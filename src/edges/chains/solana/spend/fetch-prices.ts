import { type NotedFee, noteFees } from "#nodes/quorum/fee-figures.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { Endpoints } from "../nodes/endpoints.ts"

/** 75 of 100 recent blocks accepted this price or less. */
const PRICE_PERCENTILE = 0.75

/**
 * One estimate of each endpoint: the price that recent blocks took from a transaction that writes
 * the most wanted of these accounts. An endpoint without recent fees has no estimate. `cap`: the
 * most that is offered.
 */
export async function fetchPrices(
  accounts: readonly string[],
  endpoints: Endpoints,
  cap: bigint,
): Promise<readonly bigint[]> {
  const answers = await endpoints.askEach(async ({ node }) => {
    const fees = await node({ commitment: "confirmed" }).fetchRecentFees(accounts)
    return priceOf(fees)
  })
  noteFees(endpoints.fees, answers, priceFigure(cap))
  if (!answers.some(({ ok }) => ok)) throw firstFailure(answers)
  return answers.flatMap((answer) => (answer.ok ? (answer.value ?? []) : []))
}

/** `null` for a chain that has had no fee lately. */
export function priceOf(recent: readonly bigint[]): bigint | null {
  const sorted = recent.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor(sorted.length * PRICE_PERCENTILE)] ?? null
}

/** A smaller difference is less than the base fee of a signature, for 200 000 units. */
const LEAST_APART = 25_000n

export function priceFigure(cap: bigint): NotedFee<bigint | null> {
  return {
    figureOf: (price) => price,
    unit: "micro-lamports per unit",
    least: LEAST_APART,
    cap: { most: cap, key: "max_priority_fee" },
  }
}
