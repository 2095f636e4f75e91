import { expect } from "vitest"
import type { MeasuredOrder } from "../../bench/measure-orders.ts"

/** Twenty on an idle machine. A block that a busy one misses costs two to four more. */
const MOST = 24
/** What one endpoint is asked at most, by its method or path. */
const MOST_OF: Readonly<Record<string, number>> = {
  eth_sendRawTransaction: 1,
  eth_estimateGas: 1,
  eth_maxPriorityFeePerGas: 2,
  eth_getBalance: 3,
  eth_getTransactionByHash: 3,
  // In the batch of a head, where one endpoint decides alone.
  eth_chainId: 6,
  eth_getCode: 0,
  "/block-height": 1,
  "/fee-estimates": 1,
  "/address": 4,
  // By the first order, for its HTLC and for the wallet.
  getMinimumBalanceForRentExemption: 2,
  sendTransaction: 1,
  simulateTransaction: 1,
  getLatestBlockhash: 1,
  starknet_addInvokeTransaction: 1,
  starknet_estimateFee: 1,
  starknet_getNonce: 3,
}

/** What never changes is asked for once. */
const CONSTANTS = ["getMinimumBalanceForRentExemption"]

/**
 * Each order asks an endpoint at most so many times, and at most ten times in a second; all but the
 * first one ask for nothing that never changes.
 */
export function expectFewRequests(orders: readonly MeasuredOrder[], endpoints: number): void {
  for (const [at, { asked }] of orders.entries()) {
    const shown = asked.map(({ request }) => request.slice(0, 120)).join("\n")
    expect(asked.length, shown).toBeGreaterThan(0)
    expect(asked.length, shown).toBeLessThanOrEqual(MOST * endpoints)
    const counts = countMethods(asked)
    for (const [method, times] of Object.entries(MOST_OF))
      expect(counts[method] ?? 0, `${method} in\n${shown}`).toBeLessThanOrEqual(times * endpoints)
    for (const method of CONSTANTS) expect(at === 0 ? 0 : (counts[method] ?? 0), shown).toBe(0)
    expect(mostWithinSecond(asked)).toBeLessThanOrEqual(10)
  }
}

function countMethods(asked: MeasuredOrder["asked"]): Readonly<Record<string, number>> {
  const names = asked.flatMap(({ request }) => [
    ...[...request.matchAll(/"method":"(\w+)"/g)].map(([, name = ""]) => name),
    ...(/^GET (\/[a-z-]+)/.exec(request)?.slice(1) ?? []),
  ])
  const groups = Map.groupBy(names, (name) => name)
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]))
}

/** The most requests that one endpoint gets within one second. */
function mostWithinSecond(asked: MeasuredOrder["asked"]): number {
  const counts = asked.map(
    (first) =>
      asked.filter(
        ({ at, atMs }) => at === first.at && atMs >= first.atMs && atMs < first.atMs + 1_000,
      ).length,
  )
  return Math.max(0, ...counts)
}
