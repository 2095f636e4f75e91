import { afterAll, beforeAll, expect, test } from "vitest"
import { type MeasuredOrder, measureOrders } from "../../bench/measure-orders.ts"
import type { Swap } from "../support/e2e-orders.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

/*
 * How often an order asks its nodes, from its request to its end, for each family as source and as
 * destination. A batch is one request. Facts of the chains and of the wallet, and the usual wait
 * for a payout, are known from the orders before, and no comparison of the books is due.
 */

const EVM = "base_sepolia:eth"
const BITCOIN = "bitcoin_testnet:btc"
const SOLANA = "solana_testnet:sol"
const STARKNET = "starknet_sepolia:strk"

const SWAPS: readonly Swap[] = [
  { from: EVM, to: BITCOIN, amount: "0.02" },
  { from: BITCOIN, to: EVM, amount: "0.001" },
  { from: SOLANA, to: STARKNET, amount: "1" },
  { from: STARKNET, to: SOLANA, amount: "50" },
  { from: EVM, to: SOLANA, amount: "0.02" },
  { from: SOLANA, to: EVM, amount: "1" },
  { from: EVM, to: STARKNET, amount: "0.02" },
  { from: STARKNET, to: EVM, amount: "50" },
  { from: BITCOIN, to: SOLANA, amount: "0.001" },
  { from: SOLANA, to: BITCOIN, amount: "2" },
  { from: BITCOIN, to: STARKNET, amount: "0.001" },
  { from: STARKNET, to: BITCOIN, amount: "100" },
]
/**
 * `BALLAST_ROUTES=4` or `12`: so many of them, with one endpoint and with two; all take a quarter
 * of an hour. Else each direction of the families once.
 */
const WANTED = process.env["BALLAST_ROUTES"]

type Row = Swap & { readonly endpoints: number }

/** The rows of a lane are measured one after another; lanes share no chain. */
const LANES: readonly (readonly Row[])[] =
  WANTED === undefined
    ? [
        SWAPS.slice(0, 2).map((swap, at) => ({ ...swap, endpoints: 1 + at })),
        SWAPS.slice(2, 4).map((swap, at) => ({ ...swap, endpoints: 2 - at })),
      ]
    : [
        SWAPS.slice(0, Number(WANTED)).flatMap((swap) =>
          [1, 2].map((endpoints) => ({ ...swap, endpoints })),
        ),
      ]
const ROWS = LANES.flat()

let local: SandboxProcess
const measured = new Map<Row, readonly MeasuredOrder[]>()
beforeAll(async () => {
  const chains = ROWS.flatMap(({ from, to }) => [from, to]).map((asset) => asset.split(":")[0])
  local = await startSandboxProcess(["--chains", [...new Set(chains)].join(",")])
  const measureLane = async (rows: readonly Row[]): Promise<void> => {
    for (const row of rows) {
      const { endpoints, ...swap } = row
      measured.set(row, await measureOrders(local, { count: TEACHING + COUNTED, endpoints, swap }))
    }
  }
  await Promise.all(LANES.map(measureLane))
}, 1_200_000)
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
  eth_getCode: 0,
  "/block-height": 1,
  "/fee-estimates": 1,
  "/address": 4,
  // The first order has asked.
  getMinimumBalanceForRentExemption: 0,
  sendTransaction: 1,
  simulateTransaction: 1,
  getLatestBlockhash: 1,
  starknet_addInvokeTransaction: 1,
  starknet_estimateFee: 1,
  starknet_getNonce: 3,
}
/** So many orders of a route teach its usual wait, and so many are counted, each of them. */
const TEACHING = 4
const COUNTED = 3

test.each(ROWS.map((row) => ({ row, ...row })))(
  "$from to $to asks each of $endpoints endpoints at most 20 times",
  ({ row, endpoints, ...swap }) => {
    const orders = measured.get(row) ?? []
    const all = orders.map((order) => `${order.asked.length}`).join(", ")
    console.log(`${swap.from} to ${swap.to}, ${endpoints}: ${all}`)
    expect(orders).toHaveLength(TEACHING + COUNTED)
    for (const { asked } of orders.slice(TEACHING)) {
      const shown = asked.map(({ request }) => request.slice(0, 120)).join("\n")
      expect(asked.length, shown).toBeGreaterThan(0)
      expect(asked.length, shown).toBeLessThanOrEqual(MOST * endpoints)
      const counts = countMethods(asked)
      for (const [method, most] of Object.entries(MOST_OF))
        expect(counts[method] ?? 0, `${method} in\n${shown}`).toBeLessThanOrEqual(most * endpoints)
      expect(mostWithinSecond(asked)).toBeLessThanOrEqual(10)
    }
  },
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
