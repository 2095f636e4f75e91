import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { performance } from "node:perf_hooks"
import { afterAll, beforeAll, expect, vi } from "vitest"
import { forgetKeys } from "../../src/core/lib/known-keys.ts"

/**
 * What makes a unit test cheap and its neighbours safe, checked for each file: it starts no
 * process, takes little time, and leaves the worker as it found it, because the files of a worker
 * share their modules (vitest.config.ts).
 */

const STARTERS = [
  "spawn",
  "spawnSync",
  "exec",
  "execSync",
  "execFile",
  "execFileSync",
  "fork",
] as const

for (const name of STARTERS) {
  Object.defineProperty(childProcess, name, {
    configurable: true,
    writable: true,
    value: (command: unknown) => {
      const where = "move it to test/chains, test/e2e or test/proof (CONTRIBUTING.md)"
      throw new Error(
        `A unit test starts no process, and this one starts ${String(command)}: ${where}`,
      )
    },
  })
}
syncBuiltinESMExports()

type Surroundings = {
  readonly environment: Record<string, string | undefined>
  readonly folder: string
  readonly listening: number
  readonly listeners: Record<string, number>
}

const EVENTS = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "uncaughtException",
  "unhandledRejection",
  "exit",
  "warning",
]

/**
 * A file takes 1.5 s of an idle machine at most. One with thirty busy processes needed twice as
 * much of its processors' time for the same tests, so three times as much is no chance. The
 * campaign makes larger worlds, and an emulated processor (scripts/release/arm64.sh) is slower.
 */
const isFree = ["BALLAST_RECOVERED", "BALLAST_EMULATED"].some((name) => name in process.env)
const MOST_MS = isFree ? Number.POSITIVE_INFINITY : 4_500

let before: Surroundings
let begunMs: number

beforeAll(() => {
  forgetKeys()
  before = readSurroundings()
  begunMs = readSpentMs()
})

afterAll(async () => {
  const spentMs = readSpentMs() - begunMs
  const after = await settled()
  if (vi.isFakeTimers()) {
    vi.useRealTimers()
    expect.unreachable("this file leaves a fake clock to the next one")
  }
  const where = "make its world smaller, or move it to test/proof (CONTRIBUTING.md)"
  expect(spentMs, `the milliseconds of this file: ${where}`).toBeLessThan(MOST_MS)
  expect(after, "this file leaves its worker changed to the next one").toEqual(before)
})

/**
 * The processors' time and that in which the event loop waited for a timer or an answer. Unlike the
 * time of a clock it does not grow while other processes run in this one's place.
 */
function readSpentMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + performance.eventLoopUtilization().idle
}

function readSurroundings(): Surroundings {
  const listening = process
    .getActiveResourcesInfo()
    .filter((name) => name === "TCPServerWrap" || name === "PipeWrap")
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    listening: listening.length,
    listeners: Object.fromEntries(EVENTS.map((name) => [name, process.listenerCount(name)])),
  }
}

/** A server that closes at the end of a file is gone a few turns of the event loop later. */
async function settled(): Promise<Surroundings> {
  for (let turn = 0; turn < 40 && readSurroundings().listening > before.listening; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return readSurroundings()
}
