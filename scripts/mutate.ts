import { parseArgs } from "node:util"
import { ALL_MISTAKES } from "../test/proof/mutation/all-mistakes.ts"
import { takeSample } from "../test/proof/mutation/generate-mutants.ts"
import { mutantOf } from "../test/proof/mutation/mistake.ts"
import {
  LEAST_PERCENT,
  listMutants,
  listQuickTests,
  MUTATED,
  SUBJECTS,
} from "../test/proof/mutation/mutated-files.ts"
import {
  figureAgain,
  figureOf,
  percentOf,
  readResults,
  recordFigure,
  writeTable,
} from "../test/proof/mutation/results.ts"
import { SURVIVORS } from "../test/proof/mutation/survivors.ts"
import { type Tried, tryMutants } from "../test/proof/mutation/try-mutants.ts"

const WRITTEN = "written"
/** `--each` tries so many changes of a room or family. */
const PLANTED = 6
const USAGE = `npm run mutate -- [--room NAME …] [--sample N [--seed S]] [--only TEXT]
  [--tests PATTERN] [--again] [--record]
npm run mutate -- --ci | --each | --table | --list [--room NAME …]

Puts mistakes into the code, one at a time, and runs the quick tests that reach each of them.
Rooms: ${WRITTEN} (mistakes that a person wrote), ${MUTATED.map(({ room }) => room).join(", ")}.
Without --room, all rooms of the figure. Fails when a room's tests notice less than
${LEAST_PERCENT} %, or when they miss a written mistake that has no reason.
  --sample N  N changes of each room, always the same ones; --seed S takes other ones
  --again     only the recorded survivors, such as after new tests
  --only      changes whose name has this text
  --tests     only test files whose path fits this regular expression
  --ci        the fixed sample of test/proof/mutation/results.json, each with the test that
              noticed it
  --each      a few changes of each pure room and each family, with the unit tests of this room
              alone; fails when they notice none
  --record    keeps the figures in test/proof/mutation/results.json and docs/RELIABILITY.md
  --table     writes the table of docs/RELIABILITY.md anew, and tries nothing`

const { values } = parseArgs({
  options: {
    room: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    again: { type: "boolean" },
    tests: { type: "string" },
    ci: { type: "boolean" },
    each: { type: "boolean" },
    record: { type: "boolean" },
    table: { type: "boolean" },
    list: { type: "boolean" },
  },
})
const counted = MUTATED.filter(({ isCounted }) => isCounted).map(({ room }) => room)
const chosen = values.room ?? [WRITTEN, ...counted]
const isKnown = chosen.every(
  (name) => name === WRITTEN || MUTATED.some(({ room }) => room === name),
)
const isNumber = (text: string | undefined): boolean => text === undefined || /^\d+$/.test(text)

if (!isKnown || !isNumber(values.sample) || !isNumber(values.seed)) {
  console.error(USAGE)
  process.exitCode = 64
} else if (values.table) writeTable()
else if (values.list) {
  for (const room of chosen) for (const { name } of mutantsOf(room)) console.log(`${room}: ${name}`)
} else if (values.ci) await trySample()
else if (values.each) for (const subject of SUBJECTS) await trySubject(subject)
else for (const room of chosen) await tryRoom(room)

function mutantsOf(room: string) {
  const found = MUTATED.find((one) => one.room === room)
  if (found !== undefined) return listMutants(found)
  return ALL_MISTAKES.flatMap(({ mistakes }) => mistakes.map((one) => mutantOf(one)))
}

async function tryRoom(room: string): Promise<void> {
  const all = mutantsOf(room)
  const named = all.filter(({ name }) => name.includes(values.only ?? ""))
  const { sample, seed = "1" } = values
  const known = values.again === true ? readResults().figures[room] : undefined
  const left = named.filter(({ name }) => known?.survivors.includes(name) !== false)
  const mutants = sample === undefined ? left : takeSample(left, Number(sample), seed)
  const startedAt = Date.now()
  const isWanted = new RegExp(values.tests ?? "")
  const tests = listQuickTests().filter((path) => isWanted.test(path))
  const areCompiled = known !== undefined
  const tried = await tryMutants({ mutants, tests, report, progress: tell, areCompiled })
  const figure = known === undefined ? figureOf(all.length, tried) : figureAgain(known, tried)
  for (const name of figure.survivors) console.log(`survives: ${name} (${SURVIVORS[name] ?? "?"})`)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const { noticed, refused } = figure
  const counts = `${noticed} of ${figure.tried - refused} noticed, ${refused} refused`
  console.log(`${room}: ${counts}, ${percentOf(figure)} %, ${seconds} s`)
  if (values.record) {
    recordFigure(room, figure, tried, known !== undefined)
    writeTable()
  }
  if (room === WRITTEN) judgeWritten(tried)
  else if (percentOf(figure) < LEAST_PERCENT) process.exitCode = 1
}

/** Each written mistake must be noticed. */
function judgeWritten(tried: readonly Tried[]): void {
  for (const { mutant, verdict } of tried) {
    if (verdict === "noticed") continue
    console.error(`${verdict}: ${mutant.file}: ${mutant.name}`)
    process.exitCode = 1
  }
}

/** Each mutant of the sample meets the test file that noticed it before, under its present path. */
async function trySample(): Promise<void> {
  const { sample } = readResults()
  const named = new Map(chosen.flatMap(mutantsOf).map((one) => [one.name, one]))
  const mutants = [...named.values()].filter(({ name }) => name in sample)
  const nameOf = (path: string): string => path.split("/").slice(-2).join("/")
  const wanted = new Set(mutants.map(({ name }) => nameOf(sample[name] ?? "")))
  const tests = listQuickTests().filter((path) => wanted.has(nameOf(path)))
  const tried = await tryMutants({ mutants, tests, report, progress: tell })
  const missed = tried.filter(({ verdict }) => verdict !== "noticed")
  for (const { mutant } of missed) console.error(`not noticed: ${mutant.name}`)
  const all = Object.keys(sample).length
  console.log(`${tried.length - missed.length} of ${tried.length} noticed; the sample has ${all}`)
  if (tried.length < all / 2) console.error("Most of the sample's code is gone: record it anew.")
  if (missed.length > 0 || tried.length < all / 2) process.exitCode = 1
}

async function trySubject(subject: string): Promise<void> {
  const own = MUTATED.filter(({ isCounted }) => isCounted).flatMap(listMutants)
  const mutants = own.filter(({ file }) => file.startsWith(`${subject}/`))
  const name = subject.split("/").at(-1) ?? ""
  const tests = listQuickTests().filter(
    (path) => !path.startsWith("test/proof/") && path.split("/").includes(name),
  )
  const sample = takeSample(mutants, PLANTED, "1")
  const tried = await tryMutants({ mutants: sample, tests, report, progress: tell })
  const noticed = tried.filter(({ verdict }) => verdict === "noticed")
  const [first] = noticed
  const shown = first === undefined ? "none" : `${first.mutant.name} by ${first.by}`
  console.log(`${name}: ${noticed.length} of ${tried.length} noticed: ${shown}`)
  if (first === undefined) process.exitCode = 1
}

function report({ verdict, mutant, by }: Tried): void {
  if (process.env["BALLAST_MUTANTS"] === "all") console.log(`${verdict}: ${mutant.name} [${by}]`)
}

function tell(line: string): void {
  console.error(line)
}
