import { spawn } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { STRESSED } from "../test/stressed.ts"

const USAGE = `npm run stress -- FILE… | --listed [--times N] [--together N] [--state FILE]

Repeats test files twenty times while a process on each core computes without a pause. A test that
waits for a time instead of a fact fails here. Exits with 1 when one run failed.
  --listed      every file of test/stressed.ts: the slowest files, and those that once failed
                without a defect
  --times N     as many times (20)
  --together N  as many files at the same time (2)
  --state FILE  keeps each run in a line of this file, and goes on behind those that it has`

const HOG = "for (let turn = 0; ; turn++) Math.sqrt(turn)"
const VITEST = join("node_modules", ".bin", "vitest")

type Run = {
  readonly file: string
  readonly run: number
  readonly passed: boolean
  readonly seconds: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "20" },
    together: { type: "string", default: "2" },
    listed: { type: "boolean", default: false },
    state: { type: "string" },
  },
})
const files = values.listed ? STRESSED.map(({ file }) => file) : positionals
const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text)

if (files.length === 0 || !isCount(values.times) || !isCount(values.together)) {
  console.error(USAGE)
  process.exitCode = 64
} else process.exitCode = (await stress(files, Number(values.times))) ? 0 : 1

async function stress(chosen: readonly string[], times: number): Promise<boolean> {
  const known = readState()
  const hogs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", HOG]),
  )
  const left = [...chosen]
  const failures: number[] = []
  const work = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift())
      failures.push(await repeat(file, times, known))
  }
  try {
    // A file may have fixed ports, so that its own runs follow one another.
    await Promise.all(Array.from({ length: Number(values.together) }, work))
  } finally {
    for (const hog of hogs) hog.kill("SIGKILL")
  }
  return failures.every((count) => count === 0)
}

function readState(): readonly Run[] {
  if (values.state === undefined || !existsSync(values.state)) return []
  const lines = readFileSync(values.state, "utf8").split("\n")
  // CAST: `repeat` wrote the lines.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Run)
}

/** How many runs of a file failed. The output of a failed run is shown. */
async function repeat(file: string, times: number, known: readonly Run[]): Promise<number> {
  const runs = known.filter((one) => one.file === file && one.run <= times)
  for (let run = 1; run <= times; run++) {
    if (runs.some((one) => one.run === run)) continue
    const startedAt = Date.now()
    const { code, output } = await runTests(file)
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    const ended = { file, run, passed: code === 0, seconds }
    runs.push(ended)
    if (values.state !== undefined) appendFileSync(values.state, `${JSON.stringify(ended)}\n`)
    if (!ended.passed) console.log(`${file}: run ${run} of ${times} failed\n${output}`)
  }
  const failed = runs.filter(({ passed }) => !passed).length
  const seconds = runs.reduce((sum, one) => sum + one.seconds, 0)
  console.log(`${file}: ${times - failed} of ${times} runs passed, ${seconds} s`)
  return failed
}

/** The file's folder is its project; the others would only take time to load. */
async function runTests(
  file: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [, project] = /^test\/(chains|e2e|proof|smoke|campaign)\//.exec(file) ?? []
  const args = ["run", ...(project === undefined ? [] : ["--project", project]), file]
  const child = spawn(VITEST, args, { stdio: ["ignore", "pipe", "pipe"] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => chunks.push(String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, output: chunks.join("").slice(-8_000) }
}
