import { monitorEventLoopDelay } from "node:perf_hooks"
import { createReconciler } from "#engine/reconciler.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { copyOrders } from "../copy-orders.ts"
import { BTC, ETH } from "../instant-world.ts"
import { atMost, type Part, type Row } from "../row.ts"
import { openBench, submit } from "../run-orders.ts"
import { openWaiting, sleep } from "../waiting-orders.ts"

const SECONDS = 10
/** The orders are due over this time, as with polls of half a minute. */
const SPREAD_MS = 30_000
const BAND: TimedRule = {
  ...{ id: "refill", kind: "band", asset: BTC, sources: [ETH], sinks: [], everyMs: 3_600_000 },
  ...{ minUnits: 1n, targetUnits: 2n, maxUnits: 10n ** 18n, enabled: true, backfillMs: 0 },
} as unknown as TimedRule

type Goals = {
  readonly memoryKib: number
  readonly tickMs: number
  readonly admissionMs: number
  readonly reconcileMs: number
}
const GOALS: readonly (readonly [number, Goals])[] = [
  [10_000, { memoryKib: 4, tickMs: 100, admissionMs: 10, reconcileMs: 1_000 }],
  [100_000, { memoryKib: 4, tickMs: 250, admissionMs: 20, reconcileMs: 5_000 }],
]

/** Ten and a hundred thousand orders that wait for their payout: memory, and the time of the work that blocks all other work. */
export const inFlight: Part = async (quick) => {
  const rows: Row[] = []
  for (const [count, goals] of quick ? GOALS.slice(0, 1) : GOALS) rows.push(...(await measure(count, goals)))
  return rows
}

async function measure(count: number, goals: Goals): Promise<Row[]> {
  const bench = openBench({ settings: { rules: [BAND] }, policy: { pollMinMs: SPREAD_MS, pollMaxMs: SPREAD_MS } })
  await openWaiting(bench, 1)
  const empty = heapBytes()
  await copyOrders(bench, count, SPREAD_MS)
  await sleep(SPREAD_MS)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await sleep(SECONDS * 1_000)
  delay.disable()
  const memoryKib = (heapBytes() - empty) / 1_024 / count
  const tickMs = await timed(() => bench.engine.preview())
  const admissionMs = await timed(() => submit(bench.engine, ETH, BTC))
  const reconciler = createReconciler(bench.context, {
    everyMs: 1e9,
    onDifference: "alert",
    pause: async () => undefined,
  })
  const reconcileMs = await timed(() => reconciler.reconcile())
  void bench.close()
  const of = `${count} orders in flight: `
  return [
    { what: `${of}memory of an order`, value: memoryKib, unit: "KiB", goal: atMost(goals.memoryKib) },
    { what: `${of}a tick of the rules`, value: tickMs, unit: "ms", goal: atMost(goals.tickMs) },
    { what: `${of}admission of an order`, value: admissionMs, unit: "ms", goal: atMost(goals.admissionMs) },
    { what: `${of}a reconciliation`, value: reconcileMs, unit: "ms", goal: atMost(goals.reconcileMs) },
    { what: `${of}event loop delay, p99`, value: delay.percentile(99) / 1e6, unit: "ms", goal: atMost(50) },
    { what: `${of}longest block of the event loop`, value: delay.max / 1e6, unit: "ms", goal: atMost(20) },
  ]
}

/** The best of three, because the first one warms up. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const startMs = performance.now()
    await act()
    times.push(performance.now() - startMs)
  }
  return Math.min(...times)
}

function heapBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
