import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { afterAll, beforeAll, expect, vi } from "vitest"
import { forgetKeys } from "../../src/core/lib/known-keys.ts"

/**
 * What makes a unit test cheap and its neighbours safe, checked for each file: it starts no
 * process, and it leaves the worker as it found it, because the files of a worker share their
 * modules (vitest.config.ts).
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

let before: Surroundings

beforeAll(() => {
  forgetKeys()
  before = readSurroundings()
})

afterAll(async () => {
  const after = await settled()
  if (vi.isFakeTimers()) {
    vi.useRealTimers()
    expect.unreachable("this file leaves a fake clock to the next one")
  }
  expect(after, "this file leaves its worker changed to the next one").toEqual(before)
})

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
