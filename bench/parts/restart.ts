import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundle } from "../../scripts/bundle.ts"
import { copyOrders } from "../copy-orders.ts"
import { atMost, bySpeed, type Part, type Row } from "../row.ts"
import { openBench } from "../run-orders.ts"
import { openWaiting } from "../waiting-orders.ts"

const ROOT = join(import.meta.dirname, "..", "..")
const STARTED = join(ROOT, "dist", "bench")
const GOALS = [
  [1_000, 0.8],
  [10_000, 1],
  [100_000, 3],
] as const
const TRIES = 3

/**
 * From the start of a process to the first turn of its engine, with a journal that has so many open
 * orders. Chains and service are not connected. The process is bundled as the program is; its floor
 * is a start with one order.
 */
export const restart: Part = async (quick) => {
  const rows: Row[] = []
  await bundle({ entry: "bench/start-engine.ts", folder: STARTED, hasSandbox: true })
  const floor = await measureStart(1)
  for (const [count, goal] of quick ? GOALS.slice(0, 2) : GOALS) {
    rows.push({
      what: `start with ${count} open orders`,
      value: await measureStart(count),
      unit: "s",
      goal: bySpeed(atMost(goal)),
      floor,
    })
  }
  rmSync(STARTED, { recursive: true })
  return rows
}

async function measureStart(count: number): Promise<number> {
  const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-"))
  await fill(folder, count)
  const times: number[] = []
  for (let turn = 0; turn < TRIES; turn++) times.push(await startOnce(folder))
  rmSync(folder, { recursive: true })
  return Math.min(...times)
}

async function fill(folder: string, count: number): Promise<void> {
  const bench = openBench({ folder, policy: { pollMinMs: 600_000, pollMaxMs: 600_000 } })
  await openWaiting(bench, 1)
  await copyOrders(bench, count, 600_000)
  await bench.close()
}

async function startOnce(folder: string): Promise<number> {
  const startMs = performance.now()
  const child = spawn(process.execPath, [join(STARTED, "start-engine.js"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(STARTED, "cache") },
  })
  await once(child.stdout, "data")
  const seconds = (performance.now() - startMs) / 1_000
  child.kill("SIGKILL")
  await once(child, "exit")
  return seconds
}
