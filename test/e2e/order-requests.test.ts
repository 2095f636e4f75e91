import { afterAll, beforeAll, expect, test } from "vitest"
import { type MeasuredOrder, measureOrders } from "../../bench/measure-orders.ts"
import type { Swap } from "../support/e2e-orders.ts"
import { expectFewRequests } from "../support/order-requests.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

/*
 * How often an order asks its nodes, for each family as source and as destination: at most 20 times
 * with one endpoint and 40 times with two, and a few more on a busy machine. Every request to a
 * node counts from the order's request to its end, by any part of the daemon and whether it fails
 * or not; a batch is one. Not counted are the reads of the daemon's start, which it makes without
 * an order too: the first order is asked for once they are over, and counts itself. No comparison
 * of the books is due.
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
      measured.set(row, await measureOrders(local, { count: COUNT, endpoints, swap }))
    }
  }
  await Promise.all(LANES.map(measureLane))
}, 1_200_000)
afterAll(() => local.stop())

/** Four orders of a route teach its usual wait, and each of these is counted. */
const COUNT = 6

test.each(ROWS.map((row) => ({ row, ...row })))(
  "$from to $to asks each of $endpoints endpoints few times",
  ({ row, endpoints, ...swap }) => {
    const orders = measured.get(row) ?? []
    const all = orders.map((order) => `${order.asked.length}`).join(", ")
    console.log(`${swap.from} to ${swap.to}, ${endpoints}: ${all}`)
    expect(orders).toHaveLength(COUNT)
    expectFewRequests(orders, endpoints)
  },
)
