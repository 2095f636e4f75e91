import childProcess from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { type Collector, createCollector } from "./collect-tests.ts"
import { type CoveredFile, createCoverage } from "./cover-tests.ts"
import type { Mutant } from "./generate-mutants.ts"
import { filesOf, MUTATED } from "./mutated-files.ts"
import { createTrial } from "./try-mutant.ts"

/**
 * The process in which mutants are tried. It loads the changed files once, with all of their
 * mutants behind questions (`switchMutants`), and runs the tests that reach a mutant with this one
 * switched on.
 */
export type Task = {
  readonly mutants: readonly (Mutant & { readonly id: string })[]
  readonly tests: readonly string[]
  /** The ids of the mutants to try. */
  readonly wanted: readonly string[]
  readonly cache: string
}

export type Report =
  | { readonly type: "covering"; readonly file: string }
  | { readonly type: "trying"; readonly id: string }
  | { readonly type: "tried"; readonly id: string; readonly noticed: boolean; readonly by: string }
  | { readonly type: "skipped"; readonly file: string; readonly why: string }
  | { readonly type: "alive" }
  | { readonly type: "end" }

const report = (message: Report): void => {
  process.send?.(message)
}

process.once("message", (task) => {
  // CAST: the parent sends a task, and nothing else.
  void work(task as Task)
})

async function work(task: Task): Promise<void> {
  const leave = isolateProcess()
  process.on("disconnect", leave)
  const root = process.cwd()
  const read = (file: string): string => readFileSync(join(root, file), "utf8")
  const collector = await prepare()
  const { cache, mutants } = task
  const alive = (): void => report({ type: "alive" })
  const probed = new Set(MUTATED.flatMap(filesOf))
  const isProbed = (file: string): boolean => probed.has(file)
  const coverage = createCoverage({ root, cache, read, collector, isProbed, alive })
  const covered: CoveredFile[] = []
  for (const file of task.tests) {
    report({ type: "covering", file })
    try {
      covered.push(await coverage.cover(file))
    } catch (error) {
      report({ type: "skipped", file, why: String(error).slice(0, 300).replaceAll("\n", " ") })
    }
  }
  const trial = await createTrial({ root, cache, read, collector, mutants, covered, alive })
  for (const id of task.wanted) {
    report({ type: "trying", id })
    const by = await trial.tryOut(id)
    report({ type: "tried", id, noticed: by !== null, by: by ?? "" })
    // Without a turn of the event loop it would not hear that the parent has ended.
    await new Promise((done) => setImmediate(done))
  }
  report({ type: "end" })
  leave()
}

async function prepare(): Promise<Collector> {
  // Vitest's `expect` and `vi` ask their worker for little more than a configuration.
  Object.assign(globalThis, { __vitest_worker__: WORKER_STATE })
  const vitest: Readonly<Record<string, unknown>> = { ...(await import("vitest")) }
  return createCollector(vitest)
}

const WORKER_STATE = {
  environment: { name: "node" },
  config: { snapshotOptions: {}, expect: {}, root: process.cwd() },
  ctx: {},
  rpc: {},
  moduleExecutionInfo: new Map(),
  metaEnv: {},
}

/** Tests that start processes do not count; a changed program must not end this one. */
function isolateProcess(): () => void {
  const leave = process.exit.bind(process)
  process.env["TMPDIR"] = mkdtempSync(join(tmpdir(), "mutants-"))
  const refuse = (): never => {
    throw new Error("a quick test starts no process")
  }
  const names = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]
  for (const name of names) Reflect.set(childProcess, name, refuse)
  Reflect.set(process, "exit", refuse)
  Reflect.set(process, "kill", refuse)
  // A changed program may leave work behind that fails later; that judges no other mutant.
  process.on("unhandledRejection", () => {})
  process.on("uncaughtException", () => {})
  // The same examples each time, and no search for the smallest one.
  fc.configureGlobal({ seed: 20_260_101, endOnFailure: true })
  return () => leave(0)
}
