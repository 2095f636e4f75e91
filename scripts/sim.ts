import { parseArgs } from "node:util"
import { findPlantedBugs, formatFailure, formatTotals, runSeeds } from "../test/sim/run-seeds.ts"
import { simulate } from "../test/sim/simulate.ts"

/** `npm run sim -- --seed S | --seeds A..B [--orders N] [--table]`, or `--planted` for the bugs that it must find. */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    orders: { type: "string" },
    table: { type: "boolean" },
    planted: { type: "boolean" },
    hash: { type: "boolean" },
  },
})
const range = /^(\d+)(?:\.\.(\d+))?$/.exec(values.seeds ?? values.seed ?? "1..100")
const from = Number(range?.[1])
const to = Number(range?.[2] ?? range?.[1])
const orders = values.orders === undefined ? undefined : Number(values.orders)

if (range === null || to < from || (orders !== undefined && !(Number.isInteger(orders) && orders > 0))) {
  console.error("Usage: npm run sim -- --seed S | --seeds A..B [--orders N] [--table] [--planted]")
  process.exitCode = 64
} else if (values.planted) {
  const finds = await findPlantedBugs(from, Math.max(1, to - from + 1))
  for (const { bug, seeds, checker } of finds) {
    console.log(seeds === null ? `${bug}: NOT FOUND` : `${bug}: found after ${seeds} seeds, by "${checker}"`)
  }
  if (finds.some(({ seeds }) => seeds === null)) process.exitCode = 1
} else if (values.hash) {
  console.log((await simulate({ seed: from, ...(orders === undefined ? {} : { orders }) })).hash)
} else {
  const startMs = performance.now()
  const results = await runSeeds({ from, to, ...(orders === undefined ? {} : { orders }) }, (result) => {
    if (result.violations.length > 0) console.log(`${formatFailure(result, orders)}\n`)
    else if (values.table) console.log(result.table)
  })
  console.log(formatTotals(results, performance.now() - startMs))
  if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1
}
