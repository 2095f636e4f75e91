import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { drawCurves } from "./draw-curves.ts"
import { measureSlowness } from "./machine-speed.ts"
import { busy } from "./parts/busy.ts"
import { ONCE, PARTS } from "./parts.ts"
import { type MissedPart, missedPart, performancePage } from "./performance-page.ts"
import { readProfiles, type Shares } from "./read-profile.ts"
import {
  formatFloor,
  formatFloorOfTwo,
  formatGoal,
  formatTwo,
  formatValue,
  isMeasured,
  isMet,
  meetsGoal,
  pairRows,
  type Row,
  scaleGoal,
} from "./row.ts"

const DOCS = join(import.meta.dirname, "..", "docs")
const USAGE = `npm run bench -- [part …] [--quick] [--json FILE] [--profile FOLDER]
                 [--write-docs] [--help]

  part          only these: ${Object.keys(PARTS).join(", ")}
  --quick       fewer orders
  --json        also write the rows into a file, which keeps those of parts that did not run
  --profile     write a processor profile of each part into this folder
  --write-docs  write docs/PERFORMANCE.md from all parts; those that did not run are in FILE

Each part runs in a process of its own, with one endpoint a chain and again with two that must
agree; a part to which this makes no difference runs once. A row that misses its goal with either
has an ✗; its part runs once more with fewer orders for a profile. The floor is the best value that
raw work alone allows. Other work on the machine makes most rows worse.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean" },
    json: { type: "string" },
    profile: { type: "string" },
    rows: { type: "boolean" },
    help: { type: "boolean" },
    "write-docs": { type: "boolean" },
  },
})
/** No run of a part needs longer, so one that hangs does not take the others' rows away. */
const MOST_MINUTES = 12
/** The whole run takes at most 35 minutes, so on a busy machine the last parts get no profile. */
const LAST_PROFILE_MINUTES = 30
const PLOTS = [
  ["in-flight", "orders in flight"],
  ["assets", "assets with a band each"],
] as const
const NO_PROFILE: Shares = { places: [], functions: [] }
/** Only its profile is wanted. */
const BUSY = "busy"
const unknown = positionals.find((name) => !(name in PARTS) && name !== BUSY)

if (values.help) console.log(USAGE)
else if (unknown !== undefined || (values["write-docs"] && !hasAllParts())) {
  console.error(`${USAGE}\n\nNot understood: ${unknown ?? "--write-docs with only some parts"}`)
  process.exitCode = 64
} else if (values.rows) await printRows(positionals[0] ?? "")
else runParts(positionals.length > 0 ? positionals : Object.keys(PARTS))

/** One part, in this process: its rows as JSON. */
async function printRows(name: string): Promise<void> {
  const part = name === BUSY ? busy : await PARTS[name]?.()
  const before = await measureSlowness()
  const rows = (await part?.(values.quick === true)) ?? []
  const slowness = (before + (await measureSlowness())) / 2
  const scaled = rows.map((row) => scaleGoal(row, slowness))
  process.stdout.write(`${JSON.stringify(scaled)}\n`, () => process.exit(0))
}

function runParts(names: readonly string[]): void {
  // Commands and daemon run the built program, which must not be older than the sources.
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "bin", "prepare.cjs")])
  const processor = cpus()[0]?.model ?? "unknown processor"
  console.log(`Node ${process.versions.node}, ${availableParallelism()} × ${processor}
Values: with one endpoint a chain, and with two that must agree\n`)
  const startMs = performance.now()
  const missedParts: MissedPart[] = []
  const rows = names.flatMap((name) => {
    const found = measurePart(name)
    for (const row of found) console.log(formatRow(row))
    const missed = found.filter((row) => !isMet(row))
    const isLate = performance.now() - startMs > LAST_PROFILE_MINUTES * 60_000
    const endpoints = missed.every(meetsGoal) ? 2 : 1
    const shares = missed.length === 0 || isLate ? NO_PROFILE : profilePart(name, endpoints)
    if (missed.length > 0) missedParts.push(missedPart(name, missed, shares))
    return found
  })
  for (const { text } of missedParts) console.log(`\n${text}`)
  const missed = rows.filter((row) => !isMet(row)).length
  const all = [...rows, ...keptRows(names)].toSorted((a, b) => placeOf(a) - placeOf(b))
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1)
  console.log(
    `\n${rows.length - missed} of ${rows.length} rows meet their goal or have none, after ` +
      `${minutes} minutes`,
  )
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`)
  if (values["write-docs"]) writeDocs(all, missedParts)
  if (!rows.every(isMeasured)) process.exitCode = 1
}

function hasAllParts(): boolean {
  const kept = keptRows(positionals).map(partOf)
  const isKept = (name: string): boolean => positionals.includes(name) || kept.includes(name)
  return positionals.length === 0 || Object.keys(PARTS).every(isKept)
}

/** The rows in the file of an earlier run, without those of parts that run now. */
function keptRows(names: readonly string[]): readonly Row[] {
  if (values.json === undefined || !existsSync(values.json)) return []
  // CAST: `runParts` wrote it.
  const rows = JSON.parse(readFileSync(values.json, "utf8")) as Row[]
  return rows.filter((row) => row.value !== null && !names.includes(partOf(row)))
}

function partOf({ what }: Row): string {
  return what.slice(0, what.indexOf(": "))
}

function placeOf(row: Row): number {
  return Object.keys(PARTS).indexOf(partOf(row))
}

/** The rows of the part, with both numbers of endpoints where it asks nodes. */
function measurePart(name: string): readonly Row[] {
  const one = runPart(name)
  return ONCE.has(name) || !one.every(isMeasured)
    ? one
    : pairRows(one, runPart(name, { endpoints: 2 }))
}

/** The page, its plot, and where the time of a busy process goes. */
function writeDocs(rows: readonly Row[], missedParts: readonly MissedPart[]): void {
  const page = { rows, missedParts, busy: profilePart(BUSY), isQuick: values.quick === true }
  for (const [plot, across] of PLOTS) {
    const points = rows.filter(({ point }) => point?.plot === plot)
    // A run without the part of the plot keeps the old one.
    if (points.length > 0)
      writeFileSync(join(DOCS, "pictures", `${plot}.svg`), drawCurves(points, across))
  }
  writeFileSync(join(DOCS, "PERFORMANCE.md"), performancePage(page))
}

/** The profile of a quick run of the part, with the processes that it starts. */
function profilePart(name: string, endpoints: 1 | 2 = 1): Shares {
  const folder = mkdtempSync(join(tmpdir(), "bench-profile-"))
  runPart(name, { endpoints, profileFolder: folder, quick: true })
  const shares = readProfiles(folder)
  rmSync(folder, { recursive: true })
  return shares
}

function runPart(
  name: string,
  {
    endpoints = 1,
    // With two endpoints a run without a wish of its own writes no profile, so that the folder has
    // one of each part.
    profileFolder = endpoints === 1 ? values.profile : undefined,
    quick = values.quick === true,
  }: {
    readonly endpoints?: 1 | 2
    readonly profileFolder?: string | undefined
    readonly quick?: boolean
  } = {},
): readonly Row[] {
  const args = ["--expose-gc", import.meta.filename, name, "--rows", ...(quick ? ["--quick"] : [])]
  const options = profileFolder === undefined ? "" : `--cpu-prof --cpu-prof-dir=${profileFolder}`
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: MOST_MINUTES * 60_000,
    env: {
      ...process.env,
      BENCH_ENDPOINTS: String(endpoints),
      NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${options}`.trim(),
    },
  })
  if (status !== 0)
    return [
      {
        what: `${name}: the part failed`,
        value: Number.NaN,
        unit: "",
        goal: { is: "at most", value: 0 },
      },
    ]
  // The published client writes lines of its own before.
  const last = stdout.trimEnd().split("\n").at(-1) ?? ""
  // CAST: written by `printRows`.
  return (JSON.parse(last) as Row[]).map((row) => ({ ...row, what: `${name}: ${row.what}` }))
}

function formatRow(row: Row): string {
  const values = `${formatValue(row).padStart(12)} ${formatTwo(row).padStart(12)}`
  const floors = [formatFloor(row), formatFloorOfTwo(row)].filter((text) => text !== "")
  const floor = floors.length === 0 ? "" : `floor ${floors.join(", ")}`
  return (
    `${isMet(row) ? " " : "✗"} ${row.what.padEnd(86)} ${values}   ` +
    `${formatGoal(row).padEnd(27)} ${floor}`
  ).trimEnd()
}
