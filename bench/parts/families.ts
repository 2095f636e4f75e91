import { mustExist } from "#lib/assert.ts"
import { startSandboxProcess } from "../../test/support/sandbox-process.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { measureClient } from "../measure-client.ts"
import {
  type MeasuredOrder,
  measureCrowd,
  measureIdleDay,
  measureOrders,
} from "../measure-orders.ts"
import { atMost, type Part, type Row } from "../row.ts"

/** `units`: the same amount in the smallest units, for the published client. */
const ROUTES = [
  {
    name: "from EVM",
    swap: { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" },
    units: 20_000_000_000_000_000,
  },
  {
    name: "from Bitcoin",
    swap: { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", amount: "0.001" },
    units: 100_000,
  },
  {
    name: "from Solana",
    swap: { from: "solana_testnet:sol", to: "bitcoin_testnet:btc", amount: "5" },
    units: 5_000_000_000,
  },
  {
    name: "from Starknet",
    swap: { from: "starknet_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.0014" },
    units: 140_000,
  },
]
/** One poll of the measured daemon, and the time that its own work may take. */
const MOST_LATE_MS = 1_000 + 150
const AT_ONCE = 16
/** The first orders of a route teach how long its payout takes, and ask more often meanwhile. */
const TEACHING = 4
/** Each question of an order is asked of each endpoint. */
const MOST_REQUESTS = 20 * ENDPOINTS
/** One in ten seconds. */
const MOST_IDLE = 8_640
const IDLE = { settleMs: 30_000, watchMs: 120_000 }

/**
 * An order of each family on the real local chains, by a daemon and by the published client (as the
 * floor): the requests to nodes, and the times between which money moves. Then orders side by side,
 * and a daemon that has nothing to do.
 */
export const families: Part = async (quick) => {
  const local = await startSandboxProcess(["--dialect", "2026", "--gasless", "off"])
  const rows: Row[] = []
  try {
    for (const { name, swap, units } of ROUTES) {
      const client = await measureClient(local, { ...swap, units })
      const wanted = { count: TEACHING + (quick ? 1 : 3), endpoints: ENDPOINTS, swap }
      const orders = await measureOrders(local, wanted)
      rows.push(...rowsOf(name, orders.slice(TEACHING), client))
    }
    const crowd = await measureCrowd(local, { count: AT_ONCE, endpoints: ENDPOINTS })
    rows.push({
      what: `requests to nodes for an order, ${AT_ONCE} at once`,
      value: crowd,
      unit: "",
      goal: atMost(MOST_REQUESTS),
    })
    if (!quick)
      for (const [chain, count] of await measureIdleDay(local, { endpoints: ENDPOINTS, ...IDLE }))
        rows.push({
          what: `requests of an idle day to an endpoint of ${chain}`,
          value: count,
          unit: "",
          goal: atMost(MOST_IDLE),
        })
    return rows
  } finally {
    await local.stop()
  }
}

function rowsOf(
  name: string,
  orders: readonly MeasuredOrder[],
  client: MeasuredOrder,
): readonly Row[] {
  const median = (part: (order: MeasuredOrder) => number): number =>
    mustExist(orders.map(part).toSorted((a, b) => a - b)[orders.length >> 1], "an order")
  return [
    {
      what: `${name}: requests to nodes for an order`,
      value: median(({ asked }) => asked.length),
      unit: "",
      goal: atMost(MOST_REQUESTS),
      floor: client.asked.length,
    },
    {
      what: `${name}: from the request to the deposit on the wire`,
      value: median(({ depositMs }) => depositMs) / 1_000,
      unit: "s",
      goal: atMost((client.depositMs + MOST_LATE_MS) / 1_000),
      floor: client.depositMs / 1_000,
    },
    {
      what: `${name}: from the payout in a block to "completed"`,
      value: median(({ lateMs }) => lateMs) / 1_000,
      unit: "s",
      goal: atMost(MOST_LATE_MS / 1_000),
    },
  ]
}
