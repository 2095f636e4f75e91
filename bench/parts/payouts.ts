import { monitorEventLoopDelay } from "node:perf_hooks"
import type { AssetId } from "#domain/asset.ts"
import { copyOrders } from "../copy-orders.ts"
import { BTC, ETH, WBTC } from "../instant-world.ts"
import { atLeast, atMost, bySpeed, type Part, type Row } from "../row.ts"
import { openBench } from "../run-orders.ts"
import { openWaiting, sleep } from "../waiting-orders.ts"

const EVERY_SECOND = { pollMinMs: 1_000, pollMaxMs: 1_000 }

/**
 * Many orders wait, and all of them are paid at once: the payouts that are seen and booked in a
 * second.
 */
export const payouts: Part = async (quick) => [
  ...(await measure("to Bitcoin", BTC, quick ? 512 : 2_048)),
  ...(await measure("to an EVM chain", WBTC, quick ? 512 : 2_048)),
]

async function measure(where: string, to: AssetId, count: number): Promise<Row[]> {
  const bench = openBench({ policy: EVERY_SECOND })
  await openWaiting(bench, 1, [ETH, to])
  await copyOrders(bench, count, 1_000)
  // The first tries of the copies.
  await sleep(2_000)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startMs = performance.now()
  bench.world.pays = true
  while (bench.journal.countInFlight() > 0) await sleep(5)
  const seconds = (performance.now() - startMs) / 1_000
  delay.disable()
  const completed =
    bench.journal.countOrders().find(({ state }) => state === "completed")?.count ?? 0
  await bench.close()
  if (completed !== count + 1)
    throw new Error(`only ${completed} of ${count + 1} payouts were seen`)
  return [
    {
      what: `payouts seen a second, ${where}`,
      value: completed / seconds,
      unit: "/s",
      goal: bySpeed(atLeast(420)),
    },
    {
      what: `event loop delay meanwhile, p99, ${where}`,
      value: delay.percentile(99) / 1e6,
      unit: "ms",
      goal: bySpeed(atMost(50)),
    },
  ]
}
