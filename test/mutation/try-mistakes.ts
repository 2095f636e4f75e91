import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Mistake, MistakesOfRoom } from "./mistake.ts"

/**
 * `stale`: the text to replace does not occur exactly once, so the mistake needs to be written again. `refused`: no test noticed the generic
 * mutant, and the compiler refuses it. `unsound`: the tests fail without the mistake too, so they prove nothing.
 */
export type Verdict = "noticed" | "unnoticed" | "stale" | "refused" | "unsound"
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
/** The first stage of a generated mutant has few and quick tests. */
const LONGEST_FIRST_MS = 100_000
const COPIED = [
  "src",
  "test",
  "config",
  "docs",
  "scripts",
  "bench",
  "bin",
  "package.json",
  "package-lock.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "ecosystem.config.cjs",
  "tsconfig.build.json",
  "vitest.config.ts",
  "tsconfig.json",
]

/** Tries each mistake alone, in a copy of the project, and reports each verdict as it comes. */
export async function tryMistakes(
  lists: readonly MistakesOfRoom[],
  report: (tried: Tried) => void,
  { withSim = true }: { readonly withSim?: boolean } = {},
): Promise<readonly Tried[]> {
  const copy = copyProject()
  const results: Tried[] = []
  const sound = new Map<string, boolean>()
  try {
    for (const { room, tests, mistakes, isGeneric = false } of lists) {
      for (const mistake of mistakes) {
        const stages = [...(mistake.stages ?? []), mistake.tests ?? [], tests].filter((stage) => stage.length > 0)
        const last = isGeneric ? [COMPILER] : withSim ? [SIM] : []
        const tried = {
          room,
          mistake,
          ...(await tryMistake(copy, mistake, [...stages.map((stage) => stage.join(" ")), ...last])),
        }
        const isSound = tried.by === null || (await passUnchanged(copy, tried.by, sound))
        results.push(isSound ? tried : { ...tried, verdict: "unsound" })
        report(results.at(-1) ?? tried)
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
  { file, find, replace, within }: Mistake,
  stages: readonly string[],
): Promise<{ verdict: Verdict; by: string | null }> {
  const path = join(copy, file)
  const original = readFileSync(path, "utf8")
  if (original.split(find).length !== 2 || find === replace) return { verdict: "stale", by: null }
  writeFileSync(
    path,
    original.replace(find, () => replace),
  )
  try {
    for (const [index, stage] of stages.entries()) {
      if (
        await passes(
          copy,
          commandOf(stage),
          index === 0 && within !== undefined && stages.length > 1 ? LONGEST_FIRST_MS : LONGEST_MS,
        )
      )
        continue
      return stage === COMPILER ? { verdict: "refused", by: null } : { verdict: "noticed", by: stage }
    }
    return { verdict: "unnoticed", by: null }
  } finally {
    writeFileSync(path, original)
  }
}

const SIM = `sim ${SEEDS}`
const COMPILER = "tsc"
/** On a slow machine a test that only waits must not count as one that notices. */
const PATIENCE = ["--testTimeout", "60000"]
/** One process for all files of a stage, and the transformed code of unchanged files on disk: that halves the time of a mistake. */
const SHARED = ["--isolate", "false", "--maxWorkers", "1", "--fsModuleCache"]

function commandOf(tests: string): readonly string[] {
  if (tests === SIM) return ["node", "scripts/sim.ts", "--seeds", SEEDS, "--workers", "1"]
  if (tests === COMPILER) return ["tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", "mutants.tsbuildinfo"]
  const where = tests.startsWith("test/e2e/") ? ["--project", "e2e"] : ["--project", "rooms", ...SHARED]
  return ["vitest", "run", ...where, "--bail", "1", ...PATIENCE, ...tests.split(" ")]
}

/**
 * Tests that fail without a mistake notice every mistake. Each file or folder of tests is checked once; a second try forgives a slow machine.
 */
async function passUnchanged(copy: string, tests: string, known: Map<string, boolean>): Promise<boolean> {
  const parts = tests === SIM ? [tests] : tests.split(" ")
  const unknown = parts.filter((part) => !known.has(part)).join(" ")
  if (unknown !== "") {
    const isSound = (await passes(copy, commandOf(unknown))) || (await passes(copy, commandOf(unknown)))
    for (const part of parts) if (!known.has(part)) known.set(part, isSound)
  }
  return parts.every((part) => known.get(part))
}

function passes(
  copy: string,
  [command = "", ...rest]: readonly string[],
  longestMs: number = LONGEST_MS,
): Promise<boolean> {
  const bin = command === "node" ? process.execPath : join(copy, "node_modules", ".bin", command)
  return new Promise((done) => {
    const child: ChildProcess = spawn(bin, rest, { cwd: copy, stdio: "ignore", detached: true })
    const timer = setTimeout(() => stop(child), longestMs)
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
