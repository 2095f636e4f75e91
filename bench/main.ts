import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { drawCurves } from "./draw-curves.ts"
import { busy } from "./parts/busy.ts"
import { PARTS } from "./parts.ts"
import { type MissedPart, missedPart, performancePage } from "./performance-page.ts"
import { readProfiles, type Shares } from "./read-profile.ts"
import { formatFloor, formatGoal, formatValue, isMet, type Row } from "./row.ts"

const DOCS = join(import.meta.dirname, "..", "docs")
const USAGE = `npm run bench -- [part …] [--quick] [--json FILE] [--profile FOLDER] [--write-docs] [--help]

  part          only these: ${Object.keys(PARTS).join(", ")}
  --quick       fewer orders
  --json        also write the rows into a file
  --profile     write a processor profile of each part into this folder
  --write-docs  write docs/PERFORMANCE.md from all parts

Each part runs in a process of its own. A row that misses its goal has an ✗; its part runs once more with fewer orders for a profile, and the floor is
the best value that raw work alone allows. Other work on the machine makes most rows worse.`

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
/** No part needs longer, so one that hangs does not take the others' rows away. */
const MOST_MINUTES = 5
/** The whole run takes at most a quarter of an hour, so on a busy machine the last parts get no profile. */
const LAST_PROFILE_MINUTES = 13
const NO_PROFILE: Shares = { places: [], functions: [] }
/** Only its profile is wanted. */
const BUSY = "busy"
const unknown = positionals.find((name) => !(name in PARTS) && name !== BUSY)

if (values.help) console.log(USAGE)
else if (unknown !== undefined || (values["write-docs"] && positionals.length > 0)) {
  console.error(`${USAGE}\n\nNot understood: ${unknown ?? "--write-docs with only some parts"}`)
  process.exitCode = 64
} else if (values.rows) await printRows(positionals[0] ?? "")
else runParts(positionals.length > 0 ? positionals : Object.keys(PARTS))

/** One part, in this process: its rows as JSON. */
async function printRows(name: string): Promise<void> {
  const part = name === BUSY ? busy : await PARTS[name]?.()
  process.stdout.write(`${JSON.stringify(await part?.(values.quick === true))}\n`, () => process.exit(0))
}

function runParts(names: readonly string[]): void {
  // Commands and daemon run the built program, which must not be older than the sources.
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "bin", "prepare.cjs")])
  console.log(`Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
  const startMs = performance.now()
  const missedParts: MissedPart[] = []
  const rows = names.flatMap((name) => {
    const found = runPart(name)
    for (const row of found) console.log(formatRow(row))
    const missed = found.filter((row) => !isMet(row))
    const isLate = performance.now() - startMs > LAST_PROFILE_MINUTES * 60_000
    const shares = missed.length === 0 || isLate ? NO_PROFILE : profilePart(name)
    if (missed.length > 0) missedParts.push(missedPart(name, missed, shares))
    return found
  })
  for (const { text } of missedParts) console.log(`\n${text}`)
  const missed = rows.filter((row) => !isMet(row)).length
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1)
  console.log(`\n${rows.length - missed} of ${rows.length} rows meet their goal or have none, after ${minutes} minutes`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  if (values["write-docs"]) writeDocs(rows, missedParts)
  // A part that failed has no values to tell, and its row says so.
  if (rows.some(({ value }) => Number.isNaN(value))) process.exitCode = 1
}

/** The page, its plot, and where the time of a busy process goes. */
function writeDocs(rows: readonly Row[], missedParts: readonly MissedPart[]): void {
  const page = { rows, missedParts, busy: profilePart(BUSY), isQuick: values.quick === true }
  // A run without the part of the plot keeps the old one.
  if (rows.some(({ point }) => point !== undefined))
    writeFileSync(join(DOCS, "pictures", "in-flight.svg"), drawCurves(rows))
  writeFileSync(join(DOCS, "PERFORMANCE.md"), performancePage(page))
}

/** The profile of a quick run of the part, with the processes that it starts. */
function profilePart(name: string): Shares {
  const folder = mkdtempSync(join(tmpdir(), "bench-profile-"))
  runPart(name, { profileFolder: folder, quick: true })
  const shares = readProfiles(folder)
  rmSync(folder, { recursive: true })
  return shares
}

function runPart(
  name: string,
  { profileFolder = values.profile, quick = values.quick === true }: { profileFolder?: string; quick?: boolean } = {},
): readonly Row[] {
  const args = ["--expose-gc", import.meta.filename, name, "--rows", ...(quick ? ["--quick"] : [])]
  const options = profileFolder === undefined ? "" : `--cpu-prof --cpu-prof-dir=${profileFolder}`
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: MOST_MINUTES * 60_000,
    env: { ...process.env, NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${options}`.trim() },
  })
  if (status !== 0)
    return [{ what: `${name}: the part failed`, value: Number.NaN, unit: "", goal: { is: "at most", value: 0 } }]
  // CAST: written by `printRows`.
  return (JSON.parse(stdout) as Row[]).map((row) => ({ ...row, what: `${name}: ${row.what}` }))
}

function formatRow(row: Row): string {
  return `${isMet(row) ? " " : "✗"} ${row.what.padEnd(86)} ${formatValue(row).padStart(12)}   ${formatGoal(row).padEnd(18)}${row.floor === undefined ? "" : `floor ${formatFloor(row)}`}`.trimEnd()
}
