import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, openSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"

const lib = (file: string): string =>
  JSON.stringify(new URL(`../../../src/core/lib/${file}`, import.meta.url).href)
const WATCHDOG = JSON.stringify(
  new URL("../../../src/app/daemon/watch/watchdog.ts", import.meta.url).href,
)

/** More than the pipe or socket, and then the writer, take. */
const FLOOD = `
  const { openLog } = await import(${lib("log.ts")})
  const { log, readTrouble } = openLog({ level: "info", pretty: false, destination: 1 })
  for (let at = 0; at < 3000; at++) log.info({ at, text: "x".repeat(1000) }, "A state changed")`

/** Runs `code`; its log goes to a pipe or socket that is read only once it has said `stuck`. */
async function run(code: string, log: "socket" | "pipe"): Promise<Ended> {
  const fifo = join(mkdtempSync(join(tmpdir(), "ballast-stuck-log-")), "log")
  // Opened for reading and writing, so that neither side waits for the other.
  if (log === "pipe") execFileSync("mkfifo", [fifo])
  const out = log === "pipe" ? openSync(fifo, "r+") : ("pipe" as const)
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["pipe", out, "pipe"],
  })
  let said = ""
  let logged = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
    if (!said.includes("stuck")) return
    child.stdout?.on("data", (more: Buffer) => (logged += more.toString()))
    child.stdin?.end()
  })
  return new Promise((resolve) => {
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, said, logged }))
  })
}

type Ended = {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly said: string
  readonly logged: string
}

test("a reader that stands still stops nobody; it later gets the kept lines and the count", {
  timeout: 30_000,
}, async () => {
  const { exitCode, said, logged } = await run(
    `${FLOOD}
    const { error, lost } = readTrouble()
    console.error("stuck", error, lost)
    process.stdin.resume().on("end", () => setTimeout(() => process.exit(0), 2000))`,
    "socket",
  )
  const lost = Number(/stuck EAGAIN (\d+)/.exec(said)?.[1])
  expect({ exitCode, lost: lost > 0 }).toEqual({ exitCode: 0, lost: true })
  const lines = logged
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { at?: number })
  const states = lines.flatMap(({ at }) => at ?? [])
  expect(states).toEqual(states.map((_, index) => index))
  expect(states).toHaveLength(3000 - lost)
  expect(lines.at(-1)).toMatchObject({ level: 40, lost, msg: "Log lines are lost" })
})

test.each(["pipe", "socket"] as const)(
  "the watchdog kills beside a stuck %s",
  {
    timeout: 30_000,
  },
  async (log) => {
    const { signal } = await run(
      `${FLOOD}
    const { startWatchdog } = await import(${WATCHDOG})
    startWatchdog(1000, (error) => { throw error })
    setTimeout(() => { for (;;) Math.sqrt(2) }, 1500)`,
      log,
    )
    expect(signal).toBe("SIGKILL")
  },
)
