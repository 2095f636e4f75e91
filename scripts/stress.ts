import { type ChildProcess, spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { STRESSED } from "../test/stressed.ts"

const USAGE = `npm run stress -- FILE… [--times N] [--listed]

Repeats test files twenty times beside a process on each core that computes without a pause. A test
that waits for a time instead of a fact fails here. Exits with 1 when one run failed.
  --times N   as many times (20)
  --listed    every file of test/stressed.ts: the slowest files, and those that once failed without
              a defect`

const HOG = "for (let turn = 0; ; turn++) Math.sqrt(turn)"
const VITEST = join("node_modules", ".bin", "vitest")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "20" },
    listed: { type: "boolean", default: false },
  },
})
const files = values.listed ? STRESSED.map(({ file }) => file) : positionals

if (files.length === 0 || !/^[1-9]\d*$/.test(values.times)) {
  console.error(USAGE)
  process.exitCode = 64
} else process.exitCode = (await stress(files, Number(values.times))) ? 0 : 1

async function stress(chosen: readonly string[], times: number): Promise<boolean> {
  const hogs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", HOG]),
  )
  try {
    let failures = 0
    for (const file of chosen) failures += await repeat(file, times)
    return failures === 0
  } finally {
    for (const hog of hogs) hog.kill("SIGKILL")
  }
}

/** How many runs of a file failed. The output of a failed run is shown. */
async function repeat(file: string, times: number): Promise<number> {
  let failures = 0
  const started = Date.now()
  for (let run = 1; run <= times; run++) {
    const { code, output } = await runTests(file)
    if (code === 0) continue
    failures++
    console.log(`${file}: run ${run} of ${times} failed\n${output}`)
  }
  const seconds = Math.round((Date.now() - started) / 1_000)
  console.log(`${file}: ${times - failures} of ${times} runs passed, ${seconds} s`)
  return failures
}

async function runTests(
  file: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child: ChildProcess = spawn(VITEST, ["run", file], { stdio: ["ignore", "pipe", "pipe"] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => chunks.push(String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, output: chunks.join("").slice(-4_000) }
}
