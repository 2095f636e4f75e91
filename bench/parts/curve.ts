import { createReconciler } from "#engine/watches/reconciler.ts"
import { copyOrders } from "../copy-orders.ts"
import { BTC, ETH } from "../instant-world.ts"
import type { Part, Row } from "../row.ts"
import { openBench, submit } from "../run-orders.ts"
import { openWaiting } from "../waiting-orders.ts"
import { BAND } from "./in-flight.ts"

const SIZES = [1, 10, 100, 1_000, 10_000, 100_000]
/** No copy is due during the measurement. */
const LATER_MS = 3_600_000

/** The time of the work that counts all orders, from one order in flight to a hundred thousand. */
export const curve: Part = async (quick) => {
  const rows: Row[] = []
  for (const count of quick ? SIZES.slice(0, 5) : SIZES) rows.push(...(await measure(count)))
  return rows
}

async function measure(count: number): Promise<Row[]> {
  const bench = openBench({
    settings: { rules: [BAND] },
    policy: { pollMinMs: LATER_MS, pollMaxMs: LATER_MS },
  })
  await openWaiting(bench, 1)
  await copyOrders(bench, count - 1, LATER_MS)
  const reconciler = createReconciler(bench.context, {
    everyMs: 1e9,
    onDifference: "alert",
  })
  const acts: [line: string, act: () => Promise<unknown>][] = [
    ["first tick of the rules after a start", () => bench.engine.preview()],
    ["tick of the rules", () => bench.engine.preview()],
    ["reconciliation", () => reconciler.reconcile()],
    ["admission of an order", () => submit(bench.engine, ETH, BTC)],
  ]
  const rows: Row[] = []
  for (const [line, act] of acts) {
    const startMs = performance.now()
    await act()
    const value = performance.now() - startMs
    rows.push({
      what: `${line}, ${count} in flight`,
      value,
      unit: "ms",
      goal: null,
      point: { plot: "in-flight", line, x: count },
    })
  }
  await bench.close()
  return rows
}
