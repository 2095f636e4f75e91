import { appendFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

// Loaded into a daemon by `--import`: notes each turn of its event loop that took this much of the
// processor. Other work of the machine does not count.
const NOTED_MS = 10
const file = process.env["STALLS"]

if (isMainThread && file !== undefined && process.argv.includes("run")) {
  let before = process.threadCpuUsage()
  setInterval(() => {
    const spent = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    const ms = (spent.user + spent.system) / 1_000
    if (ms >= NOTED_MS) appendFileSync(file, `${Math.round(ms)}\n`)
  }, 5).unref()
}
