import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { writePart } from "./policy-page.ts"
import { type Baseline, refreshPolicyTable } from "./policy-table.ts"
import {
  drawTreasury,
  type RandomTreasury,
  runTreasury,
  type TreasuryResult,
} from "./random-treasury.ts"

/**
 * Runs random treasuries in the backtest with the planner of this checkout, and compares them with
 * the stored baseline.
 *
 *     npm run bench:policies                     200 treasuries over 90 days; writes the page
 *     npm run bench:policies -- --count 20       fewer treasuries; writes nothing
 *     npm run bench:policies -- --move GOAL      all bands move so; writes nothing
 *     npm run bench:policies -- --baseline NAME  stores the result as the baseline of a commit
 *
 * A treasury depends on its number alone, so two checkouts run the same treasuries in the same
 * markets.
 */
const COUNT = 200
const GOALS = ["target", "edge", "values"] as const
const DAYS = 90
const root = join(import.meta.dirname, "..")
const BASELINE = join(root, "bench", "policies-baseline.json")

const count = Number(readOption("--count") ?? COUNT)
const commit = readOption("--baseline")
const move = GOALS.find((goal) => goal === readOption("--move")) ?? null
// The solver of the daemon: the search here alone takes minutes for a plan with holding costs.
const solve = await createDirectSolver()
const startedMs = performance.now()
const treasuries: TreasuryResult[] = []
for (let seed = 1; seed <= count; seed += 1) {
  treasuries.push(runTreasury(withGoal(drawTreasury(seed)), DAYS))
  if (seed % 20 === 0)
    console.error(
      `${seed} of ${count} treasuries, ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    )
}

if (commit !== null) {
  writeFileSync(BASELINE, formatBaseline({ commit, days: DAYS, treasuries }))
  console.log(`The baseline of ${commit} is in bench/policies-baseline.json`)
} else {
  // CAST: written by this file.
  const baseline = JSON.parse(readFileSync(BASELINE, "utf8")) as Baseline
  const table = refreshPolicyTable(baseline, treasuries)
  if (count === COUNT && move === null) writePart("treasuries", table)
  console.log(table)
}

/** One line for each treasury, so that a difference is readable. */
function formatBaseline({ treasuries: results, ...rest }: Baseline): string {
  const lines = results.map((result) => JSON.stringify(result)).join(",\n")
  return `${JSON.stringify(rest).slice(0, -1)},"treasuries":[\n${lines}\n]}\n`
}

function withGoal(treasury: RandomTreasury): RandomTreasury {
  const { settings } = treasury.subject
  const rules = settings.rules.map((rule) =>
    rule.kind === "band" && move !== null ? { ...rule, move } : rule,
  )
  return { ...treasury, subject: { ...treasury.subject, solve, settings: { ...settings, rules } } }
}

function readOption(name: string): string | null {
  const at = process.argv.indexOf(name)
  return at < 0 ? null : (process.argv[at + 1] ?? "")
}
