import { readFileSync } from "node:fs"
import { FEE_MEMORY_MS } from "#policy/schedule/fee-timing.ts"
import { writePart } from "./policy-page.ts"
import { type FeeSample, readFees, timeFees } from "./treasurer/fees.ts"
import { greedy } from "./treasurer/fixed.ts"
import { foreseeScenario } from "./treasurer/foresee-scenario.ts"
import { type AskForesight, createForesight } from "./treasurer/foresight.ts"
import { planned } from "./treasurer/planned.ts"
import { runScenario, type Scenario, type ScenarioPolicy } from "./treasurer/scenario.ts"

/**
 * What treasuries with known flows cost under several policies, and which part of the way from
 * `move: edge` to the clairvoyant optimum `move: values` goes.
 *
 *     npm run bench:treasurer -- --scenarios FILE --write-docs
 *     npm run bench:treasurer -- --fees FILE       the saving of orders that wait for a low fee
 *
 * The figures of Autoloop, Dai-Yao's bands and `file: edge` are those of the file. The clairvoyant
 * is solved here by HiGHS, with `--seconds` (60) for each scenario; 0 leaves the file's.
 */
const POLICIES: Readonly<Record<string, ScenarioPolicy>> = {
  greedy,
  target: planned("target"),
  edge: planned("edge"),
  values: planned("values"),
}
const FROM_FILE = {
  autoloop: "Autoloop",
  closedForm: "closed form",
  edge: "file: edge",
  clairvoyant: "file: clairvoyant",
}
/** Of HiGHS: the best orders that it found, and a bound below all orders. */
const CLAIRVOYANT = "clairvoyant"
const LEAST = "at least"

const scenariosFile = readOption("--scenarios")
const feesFile = readOption("--fees")
const seconds = Number(readOption("--seconds") ?? 60)
if (scenariosFile !== null)
  comparePolicies(scenariosFile, seconds > 0 ? await createForesight() : null)
if (feesFile !== null) compareFees(readFees(readFileSync(feesFile, "utf8")))

function compareFees(samples: readonly FeeSample[]): void {
  const first = (samples[0]?.atMs ?? 0) + FEE_MEMORY_MS
  console.log(
    "| deadline | orders | paid | clairvoyant | share of its saving | missed |\n" +
      "|---|---|---|---|---|---|",
  )
  for (const hours of [24, 48, 72]) {
    const span = { fromMs: first, untilMs: Number.POSITIVE_INFINITY }
    const { orders, atOnce, paid, clairvoyant, missed } = timeFees(samples, hours * 3_600_000, span)
    const share = (100 * (atOnce - paid)) / (atOnce - clairvoyant)
    const changes = [paid, clairvoyant].map((fee) => `${((fee / atOnce - 1) * 100).toFixed(1)} %`)
    console.log(
      `| ${hours} h | ${orders} | ${changes.join(" | ")} | ${share.toFixed(1)} % | ${missed} |`,
    )
  }
}

function comparePolicies(path: string, foresee: AskForesight | null): void {
  // CAST: the form of the file is `Scenario`; a wrong figure shows in the table.
  const scenarios = JSON.parse(readFileSync(path, "utf8")) as readonly Scenario[]
  const solved = foresee === null ? [] : [CLAIRVOYANT, LEAST]
  const names = [...Object.keys(POLICIES), ...Object.values(FROM_FILE), ...solved]
  let proven = 0
  const totals = new Map<string, number>()
  const outside = new Map<string, number>()
  const lines = [`| scenario | ${names.join(" | ")} |`, `|---|${names.map(() => "---|").join("")}`]
  for (const scenario of scenarios) {
    const costs = new Map<string, number>()
    for (const [name, policy] of Object.entries(POLICIES)) {
      const result = runScenario(scenario, policy)
      costs.set(name, result.costUsd)
      outside.set(name, (outside.get(name) ?? 0) + result.outside)
    }
    for (const [key, name] of Object.entries(FROM_FILE)) {
      const usd = scenario.costUsd?.[key]
      if (usd !== undefined) costs.set(name, usd)
    }
    if (foresee !== null) {
      const answer = foresee(foreseeScenario(scenario), true, seconds)
      costs.set(CLAIRVOYANT, answer.usd)
      costs.set(LEAST, answer.bound)
      if (answer.isProven) proven += 1
    }
    for (const [name, usd] of costs) totals.set(name, (totals.get(name) ?? 0) + usd)
    lines.push(rowOf(scenario.name, costs, names))
  }
  lines.push(rowOf("all", totals, names))
  const counts = [...outside].map(([name, count]) => `${name} ${count}`)
  lines.push("", `Periods outside a band: ${counts.join(", ")}.`, "")
  for (const edge of ["file: edge", "edge"]) {
    const from = totals.get(edge)
    const to = totals.get(CLAIRVOYANT) ?? totals.get(FROM_FILE.clairvoyant)
    if (from === undefined || to === undefined) continue
    const closed = (from - (totals.get("values") ?? 0)) / (from - to)
    const share = `${(closed * 100).toFixed(1)} %`
    lines.push(`\`values\` closes ${share} of the gap from \`${edge}\` to the clairvoyant.`)
  }
  if (foresee !== null)
    lines.push(`HiGHS proved ${proven} of ${scenarios.length} within ${seconds} s each.`)
  console.log(lines.join("\n"))
  if (process.argv.includes("--write-docs")) writePart("scenarios", lines.join("\n"))
}

function rowOf(name: string, costs: ReadonlyMap<string, number>, names: readonly string[]): string {
  return `| ${name} | ${names.map((one) => costs.get(one)?.toFixed(1) ?? "").join(" | ")} |`
}

function readOption(name: string): string | null {
  const at = process.argv.indexOf(name)
  return at < 0 ? null : (process.argv[at + 1] ?? null)
}
