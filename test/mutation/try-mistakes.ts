import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Mistake, MistakesOfRoom } from "./mistake.ts"

/** `stale`: the text to replace does not occur exactly once, so the mistake needs to be written again. */
export type Verdict = "noticed" | "unnoticed" | "stale"
export type Tried = {
  readonly room: string
  readonly mistake: Mistake
  readonly verdict: Verdict
  readonly by: string | null
}

/** The seeds of the simulator that run when no unit test noticed a mistake. */
const SEEDS = "1..25"
/** A mistake can make a test wait for ever; that counts as noticed. */
const LONGEST_MS = 5 * 60_000
const COPIED = [
  "src",
  "test",
  "config",
  "docs",
  "scripts",
  "bench",
  "bin",
  "package.json",
  "vitest.config.ts",
  "tsconfig.json",
]

/** Tries each mistake alone, in a copy of the project, and reports each verdict as it comes. */
export async function tryMistakes(
  lists: readonly MistakesOfRoom[],
  report: (tried: Tried) => void,
): Promise<readonly Tried[]> {
  const copy = copyProject()
  const results: Tried[] = []
  try {
    for (const { room, tests, mistakes } of lists) {
      for (const mistake of mistakes) {
        const tried = { room, mistake, ...(await tryMistake(copy, mistake, mistake.tests ?? [], tests)) }
        results.push(tried)
        report(tried)
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return results
}

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "mistakes-"))
  for (const part of COPIED) cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"))
  return copy
}

async function tryMistake(
  copy: string,
  { file, find, replace }: Mistake,
  first: readonly string[],
  roomTests: readonly string[],
): Promise<{ verdict: Verdict; by: string | null }> {
  const path = join(copy, file)
  const original = readFileSync(path, "utf8")
  if (original.split(find).length !== 2 || find === replace) return { verdict: "stale", by: null }
  writeFileSync(
    path,
    original.replace(find, () => replace),
  )
  try {
    for (const tests of [first, roomTests]) {
      if (tests.length > 0 && !(await passes(copy, ["vitest", "run", "--project", "rooms", "--bail", "1", ...tests])))
        return { verdict: "noticed", by: tests.join(" ") }
    }
    const sim = ["node", "scripts/sim.ts", "--seeds", SEEDS, "--workers", "1"]
    return (await passes(copy, sim)) ? { verdict: "unnoticed", by: null } : { verdict: "noticed", by: `sim ${SEEDS}` }
  } finally {
    writeFileSync(path, original)
  }
}

function passes(copy: string, [command = "", ...rest]: readonly string[]): Promise<boolean> {
  const bin = command === "node" ? process.execPath : join(copy, "node_modules", ".bin", command)
  return new Promise((done) => {
    const child: ChildProcess = spawn(bin, rest, { cwd: copy, stdio: "ignore", detached: true })
    const timer = setTimeout(() => stop(child), LONGEST_MS)
    child.on("exit", (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}

/** Ends the test process with its own children. */
function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL")
}
