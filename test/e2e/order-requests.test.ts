import { afterAll, beforeAll, expect, test } from "vitest"
import { CHAINS, type MeasuredOrder, measureOrders } from "../../bench/measure-orders.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

/*
 * How often an order from an EVM chain to Bitcoin asks its nodes, from its request to its end. A
 * batch is one request. Facts of the chains and of the wallet are known from the orders before.
 */

let local: SandboxProcess
beforeAll(async () => {
  local = await startSandboxProcess(["--chains", CHAINS.join(",")])
})
afterAll(() => local.stop())

const MOST = 20
/** What one endpoint is asked at most, by its method or path. */
const MOST_OF: Readonly<Record<string, number>> = {
  eth_sendRawTransaction: 1,
  eth_estimateGas: 1,
  eth_maxPriorityFeePerGas: 2,
  eth_getBalance: 3,
  eth_getTransactionByHash: 3,
  // In the batch of a head, where one endpoint decides alone.
  eth_chainId: 6,
  eth_getLogs: 0,
  eth_getCode: 0,
  "/block-height": 1,
  "/fee-estimates": 0,
}
const COUNT = 4

test.each([1, 2])(
  "an order asks at most 20 times with each of %d endpoints",
  async (endpoints) => {
    const orders = await measureOrders(local, { count: COUNT, endpoints })
    // A block that comes in the middle of a look makes an order look once more.
    const [best] = orders.toSorted((a, b) => a.asked.length - b.asked.length)
    const { asked = [] } = best ?? {}
    const shown = asked.map(({ request }) => request.slice(0, 120)).join("\n")
    expect(asked.length, shown).toBeLessThanOrEqual(MOST * endpoints)
    const counts = countMethods(asked)
    for (const [method, most] of Object.entries(MOST_OF))
      expect([method, (counts[method] ?? 0) <= most * endpoints]).toEqual([method, true])
    expect(mostWithinSecond(asked)).toBeLessThanOrEqual(10)
  },
  240_000,
)

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
