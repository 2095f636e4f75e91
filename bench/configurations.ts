import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { drawConfiguration } from "./configurations/draw-configuration.ts"
import { runConfiguration } from "./configurations/run-configuration.ts"

/**
 * Runs random configurations in the backtest and prints every fault: a losing circle in silence, a
 * need that starves, an order of a plan that admission refuses.
 *
 *     npm run bench:configurations -- --first 1 --count 10000
 */
const DAYS = 30
const first = Number(readOption("--first") ?? 1)
const count = Number(readOption("--count") ?? 10_000)
const solve = await createDirectSolver()
const startedMs = performance.now()
const faulty = { refused: 0, circle: 0, starved: 0 }
let orders = 0
for (let seed = first; seed < first + count; seed += 1) {
  const faults = runConfiguration(drawConfiguration(seed), DAYS, solve)
  orders += faults.orders
  if (faults.refused.length > 0) faulty.refused += 1
  if (faults.circle !== null) faulty.circle += 1
  if (faults.starved.length > 0) faulty.starved += 1
  for (const line of faults.refused) console.log(`${seed} refused ${line}`)
  if (faults.circle !== null) console.log(`${seed} circle ${faults.circle}`)
  for (const line of faults.starved) console.log(`${seed} starved ${line}`)
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
console.log(
  `${count} configurations, ${orders} orders, ${seconds} s; with a fault: ` +
    `${faulty.refused} refused, ${faulty.circle} circle, ${faulty.starved} starved`,
)

function readOption(name: string): string | null {
  const at = process.argv.indexOf(name)
  return at < 0 ? null : (process.argv[at + 1] ?? "")
}
