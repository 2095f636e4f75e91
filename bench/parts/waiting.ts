import { chainOf } from "#domain/asset.ts"
import { copyOrders } from "../copy-orders.ts"
import { BTC, ETH, WBTC } from "../instant-world.ts"
import { atLeast, atMost, bySpeed, type Part, type Row } from "../row.ts"
import { type Bench, openBench, readWrittenBytes, submit } from "../run-orders.ts"
import { openWaiting, sleep } from "../waiting-orders.ts"

const SECONDS = 5

/**
 * Orders that wait for their payout: the cost of a try that finds nothing new, and the most tries a
 * second.
 */
export const waiting: Part = async (quick) => [
  ...(await measureTries(quick ? 128 : 512)),
  ...(await measureRate(0, 3_000)),
  ...(await measureRate(50, 2_000)),
  ...(await measureSilence(quick ? 50 : 100)),
]

/** Polls of every second: written bytes, commits and events of one try. */
async function measureTries(count: number): Promise<Row[]> {
  const bench = openBench()
  await openWaiting(bench, count)
  const events = bench.journal.listOrders({ open: true }).length
  const before = { ...countsOf(bench), written: readWrittenBytes(), cpu: process.cpuUsage() }
  await sleep(SECONDS * 1_000)
  const after = countsOf(bench)
  const written = readWrittenBytes() - before.written
  const { user, system } = process.cpuUsage(before.cpu)
  const tries = Math.max(1, after.tries - before.tries)
  await bench.close()
  if (events !== count) throw new Error(`${events} of ${count} orders wait`)
  return [
    {
      what: "written by a try that finds nothing new",
      value: written / tries / 1_024,
      unit: "KiB",
      goal: atMost(1),
    },
    {
      what: "commits of such a try",
      value: (after.commits - before.commits) / tries,
      unit: "",
      goal: atMost(0.05),
    },
    {
      what: "processor time of such a try",
      value: (user + system) / 1_000 / tries,
      unit: "ms",
      goal: null,
    },
  ]
}

/** As many tries as there can be: each order is due again at once. */
async function measureRate(callMs: number, goal: number): Promise<Row[]> {
  const soon = { pollMinMs: 1, pollMaxMs: 1 }
  const bench = openBench({ callMs, policy: soon })
  await openWaiting(bench, 1)
  await copyOrders(bench, 512, 0)
  // The first tries of the copies.
  await sleep(1_000)
  const before = countsOf(bench)
  await sleep(SECONDS * 1_000)
  const tries = countsOf(bench).tries - before.tries
  await bench.close()
  return [
    {
      what: `tries a second, ${callMs} ms a call`,
      value: tries / SECONDS,
      unit: "/s",
      goal: bySpeed(atLeast(goal)),
    },
  ]
}

/** Orders on a healthy node while the other node answers nothing. */
async function measureSilence(count: number): Promise<Row[]> {
  const bench = openBench()
  const { engine, world, journal } = bench
  world.pays = false
  for (let opened = 0; opened < count; opened++)
    await Promise.all([submit(engine, ETH, BTC), submit(engine, ETH, WBTC)])
  while (
    journal.listOrders({ open: true }).filter(({ state }) => state === "funded").length <
    2 * count
  )
    await sleep(20)
  world.silent = chainOf(BTC)
  world.pays = true
  await sleep(10_000)
  const starved = journal.listOrders({ open: true }).filter(({ to }) => to === WBTC).length
  world.silent = null
  void bench.close()
  return [
    {
      what: `of ${count} orders, those starved by another node's silence of 10 s`,
      value: starved,
      unit: "",
      goal: atMost(0),
    },
  ]
}

function countsOf({ world, commits }: Bench): { readonly tries: number; readonly commits: number } {
  return { tries: world.calls.get("fetchOrder") ?? 0, commits: commits() }
}
