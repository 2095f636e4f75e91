import { afterAll, beforeAll, expect, test } from "vitest"
import { type MeasuredOrder, measureOrders } from "../../bench/measure-orders.ts"
import { expectFewRequests } from "../support/order-requests.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

/*
 * As order-requests.test.ts, for tokens whose deposit a relay makes: an approval of our own comes
 * before it.
 */

const EVM = "base_sepolia:wbtc"
const STARKNET = "starknet_sepolia:wbtc"
const ROWS = [
  { from: EVM, to: STARKNET, amount: "0.00112", endpoints: 1 },
  { from: STARKNET, to: EVM, amount: "0.00115", endpoints: 2 },
] as const
const COUNT = 4

let local: SandboxProcess
const measured: (readonly MeasuredOrder[])[] = []
beforeAll(async () => {
  local = await startSandboxProcess(["--chains", "base_sepolia,starknet_sepolia"])
  for (const { endpoints, ...swap } of ROWS) {
    const how = { endpoints, swap, deposit: "gasless" } as const
    measured.push(await measureOrders(local, { count: COUNT, ...how }))
  }
}, 240_000)
afterAll(() => local.stop())

test.each(ROWS.map((row, at) => ({ ...row, at })))(
  "$from to $to, gasless, asks each of $endpoints endpoints few times",
  ({ at, from, to, endpoints }) => {
    const orders = measured[at] ?? []
    console.log(`${from} to ${to}, ${endpoints}: ${orders.map(({ asked }) => asked.length)}`)
    expect(orders).toHaveLength(COUNT)
    expectFewRequests(orders, endpoints)
  },
)
