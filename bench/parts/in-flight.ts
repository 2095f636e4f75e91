import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { chainOf } from "#domain/asset.ts"
import { listFigures } from "#engine/orders/order-figures.ts"
import { createReconciler } from "#engine/watches/reconciler.ts"
import { mustExist } from "#lib/assert.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { copyOrders } from "../copy-orders.ts"
import { BTC, ETH } from "../instant-world.ts"
import { atMost, bySpeed, type Part, type Row } from "../row.ts"
import { type Bench, openBench, submit } from "../run-orders.ts"
import { openWaiting, sleep } from "../waiting-orders.ts"

const SECONDS = 10
/** An admission is short, and the orders in flight go on beside it. */
const MOST_TRIES = 9
/**
 * Each order is polled once in this time. One process can look at some 3 000 orders a second, so
 * many orders are polled less often.
 */
const pollMsOf = (count: number): number => Math.max(30_000, count * 3)
/** More orders than any cache keeps. */
const FIRST_ORDERS = 2_000
const FIRST_MS = 15_000
/** The engine runs for this long before the measurement. */
const WARM_MS = 30_000
const HEAP_TRIES = 5
const HEAP_PAUSE_MS = 300
export const BAND: TimedRule = {
  id: "refill",
  kind: "band",
  asset: BTC,
  sources: [ETH],
  sinks: [],
  everyMs: 3_600_000,
  minUnits: 1n,
  targetUnits: 2n,
  maxUnits: 10n ** 18n,
  enabled: true,
  backfillMs: 0,
} as unknown as TimedRule

type Goals = {
  readonly memoryKib: number
  readonly tickMs: number
  readonly admissionMs: number
  readonly reconcileMs: number
  /** Of the goal for a tick (ADR 56). */
  readonly tickHasLeft: boolean
}
const GOALS: readonly (readonly [number, Goals])[] = [
  [10_000, { memoryKib: 4, tickMs: 100, admissionMs: 10, reconcileMs: 1_000, tickHasLeft: false }],
  [100_000, { memoryKib: 4, tickMs: 250, admissionMs: 20, reconcileMs: 5_000, tickHasLeft: true }],
]

/**
 * Ten and a hundred thousand orders that wait for their payout: memory, and the time of the work
 * that blocks all other work.
 */
export const inFlight: Part = async (quick) => {
  const rows: Row[] = []
  for (const [count, goals] of quick ? GOALS.slice(0, 1) : GOALS)
    rows.push(...(await measure(count, goals)))
  return rows
}

async function measure(count: number, goals: Goals): Promise<Row[]> {
  const pollMs = pollMsOf(count)
  const bench = openBench({
    settings: { rules: [BAND] },
    policy: { pollMinMs: pollMs, pollMaxMs: pollMs },
  })
  const { caches, base } = await fillCaches(bench)
  await copyOrders(bench, count - FIRST_ORDERS, pollMs, { known: FIRST_ORDERS })
  await sleep(WARM_MS)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const pauses = watchPauses()
  delay.enable()
  await sleep(SECONDS * 1_000)
  delay.disable()
  const longestPauseMs = pauses.end()
  const tickMs = await timed(() => bench.engine.preview())
  const payouts = listPayouts(bench)
  const node = mustExist(bench.world.nodes.get(chainOf(BTC)), "a node of the destination")
  const fakesMs = await timed(() => askEachPayout(node, payouts))
  const admissionMs = await timed(() => submit(bench.engine, ETH, BTC), MOST_TRIES)
  const reconciler = createReconciler(bench.context, {
    everyMs: 1e9,
    onDifference: "alert",
  })
  const reconcileMs = await timed(() => reconciler.reconcile())
  // After the tick, because a tick keeps the orders that it has read.
  const memoryKib = ((await restingBytes()) - base) / 1_024 / (count - FIRST_ORDERS)
  const columnsKib = columnBytes(bench) / 1_024 / count
  const funded = bench.journal.countOrders().find(({ state }) => state === "funded")?.count ?? 0
  if (funded < count)
    throw new Error(`only ${funded} of ${count} orders still wait for their payout`)
  void bench.close()
  const of = `${count} orders in flight: `
  return [
    {
      what: `${of}memory of an order`,
      value: memoryKib,
      unit: "KiB",
      goal: atMost(goals.memoryKib),
      floor: columnsKib,
    },
    {
      what: `${of}memory of the caches, which does not grow`,
      value: caches / 1_048_576,
      unit: "MiB",
      goal: null,
    },
    {
      what: `${of}a tick of the rules`,
      value: tickMs,
      unit: "ms",
      ...(goals.tickHasLeft ? leftOf(goals.tickMs) : { goal: bySpeed(atMost(goals.tickMs)) }),
      floor: fakesMs,
    },
    {
      what: `${of}admission of an order`,
      value: admissionMs,
      unit: "ms",
      goal: bySpeed(atMost(goals.admissionMs)),
    },
    {
      what: `${of}a reconciliation`,
      value: reconcileMs,
      unit: "ms",
      goal: bySpeed(atMost(goals.reconcileMs)),
    },
    {
      what: `${of}event loop delay, p99`,
      value: delay.percentile(99) / 1e6,
      unit: "ms",
      goal: bySpeed(atMost(50)),
    },
    {
      what: `${of}longest block of the event loop`,
      value: delay.max / 1e6,
      unit: "ms",
      ...leftOf(20),
      floor: longestPauseMs,
    },
    {
      what: `${of}longest pause of the garbage collector`,
      value: longestPauseMs,
      unit: "ms",
      goal: null,
    },
  ]
}

/**
 * The fakes' own time for the question about each order's payout, which every tick asks each
 * endpoint.
 */
async function askEachPayout(node: ChainPort, payouts: readonly LegQuery[]): Promise<void> {
  for (const payout of payouts) {
    for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) await node.observeLeg(payout)
  }
}

/**
 * Opens so many orders that the caches of the orders used last are full, and runs the code of a
 * tick and of observations once. All of that is there once, however many orders there are. Returns
 * its bytes, and the bytes of the heap then.
 */
async function fillCaches(
  bench: Bench,
): Promise<{ readonly caches: number; readonly base: number }> {
  await openWaiting(bench, 1)
  const empty = heapBytes()
  await copyOrders(bench, FIRST_ORDERS, FIRST_MS / 2)
  await sleep(FIRST_MS)
  await bench.engine.preview()
  const base = await restingBytes()
  return { caches: base - empty, base }
}

/**
 * The memory of the columns of the open orders alone, without work, questions to the chains and
 * sums.
 */
function columnBytes({ journal }: Bench): number {
  const refs = journal.listOpenRefs()
  const before = heapBytes()
  const copies = structuredClone(refs)
  return (heapBytes() - before) * (copies.length / refs.length)
}

function listPayouts({ context }: Bench): readonly LegQuery[] {
  return listFigures(context).figures.flatMap((figures) => figures?.flight.payout ?? [])
}

/** Observes the pauses of the garbage collector; `end` returns the longest one in milliseconds. */
function watchPauses(): { readonly end: () => number } {
  let longestMs = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration)
  })
  observer.observe({ entryTypes: ["gc"] })
  return {
    end: () => {
      for (const { duration } of observer.takeRecords()) longestMs = Math.max(longestMs, duration)
      observer.disconnect()
      return longestMs
    },
  }
}

function leftOf(most: number): Pick<Row, "goal" | "left"> {
  return { goal: null, left: atMost(most) }
}

/** The best of several, because the first one warms up. */
async function timed(act: () => Promise<unknown>, tries = 3): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < tries; turn++) {
    const startMs = performance.now()
    await act()
    times.push(performance.now() - startMs)
  }
  return Math.min(...times)
}

/** The least of several: at any one time some orders are being looked at. */
async function restingBytes(): Promise<number> {
  const sizes: number[] = []
  for (let turn = 0; turn < HEAP_TRIES; turn++) {
    sizes.push(heapBytes())
    await sleep(HEAP_PAUSE_MS)
  }
  return Math.min(...sizes)
}

function heapBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
