import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ALL_MISTAKES } from "../test/mutation/all-mistakes.ts"
import { listGenericMutants } from "../test/mutation/generic-mutants.ts"
import type { MistakesOfRoom } from "../test/mutation/mistake.ts"
import { writeNearestTests } from "../test/mutation/nearest-tests.ts"
import { recordResults, wasUnnoticed, writeTable } from "../test/mutation/results.ts"
import { type Tried, tryMistakes } from "../test/mutation/try-mistakes.ts"

const LEAST_PERCENT = 90
const USAGE = `npm run mutate -- [--generic] [--room NAME] [--sample N --seed S] [--only TEXT] [--again] [--fast] [--list] [--record] [--table] [--measure]

Puts realistic mistakes into the money rooms, one at a time, and runs the fast tests and a few seeds of the simulator on each (--fast: without the simulator). Fails when
fewer than ${LEAST_PERCENT} % are noticed, when an unnoticed mistake has no reason, and when a mistake is out of date.
  --generic  generated mutants instead of the written mistakes: operators turned, conditions dropped, bounds moved by one, early ends removed
  --again    only mistakes without a reason that no test noticed when they were tried last
  --record   keeps the results in test/mutation/results.json
  --table    writes the table of the kept results into docs/RELIABILITY.md, and tries nothing
  --measure  lists anew which tests run which function of engine and chains (test/mutation/nearest-tests.json), and tries nothing`

const { values } = parseArgs({
  options: {
    generic: { type: "boolean" },
    room: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    again: { type: "boolean" },
    fast: { type: "boolean" },
    list: { type: "boolean" },
    record: { type: "boolean" },
    table: { type: "boolean" },
    measure: { type: "boolean" },
  },
})
const lists = values.generic ? listGenericMutants() : ALL_MISTAKES
const kind = values.generic ? "generic" : "written"
const isNumber = (text: string | undefined): boolean => text === undefined || /^\d+$/.test(text)
const isRoom = values.room === undefined || lists.some(({ room }) => room === values.room)

if (!isNumber(values.sample) || !isNumber(values.seed) || !isRoom) {
  console.error(USAGE)
  process.exitCode = 64
} else if (values.table) writeTable()
else if (values.measure) measure()
else if (values.list) {
  for (const { room, mistakes } of chosen()) for (const { name } of mistakes) console.log(`${room}: ${name}`)
} else finish(await tryMistakes(chosen(), print, { withSim: values.fast !== true }))

/** Runs the tests of these rooms once, and asks V8 for the functions that each test file runs. */
function measure(): void {
  const folder = mkdtempSync(join(tmpdir(), "ballast-measure-"))
  const file = join(folder, "functions.jsonl")
  try {
    const tests = ["engine", "chains", "signer"].flatMap((room) => [`src/${room}`, `test/${room}`])
    const env = { ...process.env, BALLAST_FUNCTIONS: file }
    const { status } = spawnSync("vitest", ["run", "--project", "rooms", ...tests], { env, stdio: "inherit" })
    if (status === 0) writeNearestTests(readFileSync(file, "utf8"))
    else process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function chosen(): readonly MistakesOfRoom[] {
  const inRoom = lists.filter(({ room }) => values.room === undefined || room === values.room)
  const named = inRoom.map((one) => ({
    ...one,
    mistakes: one.mistakes.filter(
      ({ name, file, survives }) =>
        `${file}: ${name}`.includes(values.only ?? "") &&
        (!values.again || (survives === undefined && wasUnnoticed(kind, one.room, name))),
    ),
  }))
  return values.sample === undefined ? named : pick(named, Number(values.sample), Number(values.seed ?? 1))
}

/** Takes every n-th mistake, so that a sample reaches all of them; the seed moves the start. */
function pick(from: readonly MistakesOfRoom[], count: number, seed: number): readonly MistakesOfRoom[] {
  const total = from.reduce((sum, { mistakes }) => sum + mistakes.length, 0)
  const every = Math.max(1, Math.floor(total / Math.max(1, count)))
  let at = 0
  return from.map((room) => ({ ...room, mistakes: room.mistakes.filter(() => (at++ + seed) % every === 0) }))
}

function print(tried: Tried): void {
  const { room, mistake, verdict, by } = tried
  if (values.record) recordResults(kind, [tried])
  const expected = mistake.survives === undefined ? "" : ` (${mistake.survives})`
  console.log(`${verdict.padEnd(9)} ${room}: ${mistake.name}${expected}${by === null ? "" : ` [${by}]`}`)
}

function finish(tried: readonly Tried[]): void {
  const results = tried.filter(({ verdict }) => verdict !== "refused")
  for (const { room } of lists) {
    const own = results.filter((one) => one.room === room)
    if (own.length > 0)
      console.log(`${room}: ${own.filter(({ verdict }) => verdict === "noticed").length} of ${own.length}`)
  }
  const noticed = results.filter(({ verdict }) => verdict === "noticed").length
  const percent = results.length === 0 ? 100 : Math.floor((noticed * 100) / results.length)
  console.log(`${noticed} of ${results.length} mistakes noticed (${percent} %)`)
  const wrong = results.filter(
    ({ verdict, mistake }) => verdict !== "noticed" && (verdict !== "unnoticed" || mistake.survives === undefined),
  )
  for (const { mistake, verdict } of wrong) console.error(`${verdict}: ${mistake.file}: ${mistake.name}`)
  // In a small sample, one listed survivor is already more than a tenth.
  const isTooFew = values.sample === undefined && percent < LEAST_PERCENT
  if (wrong.length > 0 || isTooFew) process.exitCode = 1
}
