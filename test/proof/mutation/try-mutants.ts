import { type ChildProcess, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { listRefused } from "./check-types.ts"
import { idOf, type Mutant } from "./generate-mutants.ts"
import type { Report, Task } from "./worker.ts"

/**
 * `refused`: no test noticed the mutant, and the compiler refuses it.
 */
export type Verdict = "noticed" | "unnoticed" | "refused"
export type Tried = { readonly mutant: Mutant; readonly verdict: Verdict; readonly by: string }

/**
 * A mutant can make a test wait for ever; that counts as noticed. On a busy machine a silent worker
 * gets more time, as long as it gets no processor.
 */
const LONGEST_MS = 40_000
const MOST_TURNS = 10
const CACHE = ".cache/mutation"

type Options = {
  readonly mutants: readonly Mutant[]
  readonly tests: readonly string[]
  readonly report: (tried: Tried) => void
  readonly progress: (line: string) => void
  /** The compiler has accepted all of them before. */
  readonly areCompiled?: boolean
}

/** So many mutants share a process; more of them would need much memory. */
const BATCH = 1_500

/** Tries each mutant alone, and asks the compiler about the ones that no test noticed. */
export async function tryMutants(options: Options): Promise<readonly Tried[]> {
  const stuck = new Set<string>()
  const tried: Tried[] = []
  for (let at = 0; at < options.mutants.length; at += BATCH) {
    const mutants = options.mutants.slice(at, at + BATCH)
    tried.push(...(await tryBatch({ ...options, mutants }, stuck)))
  }
  if (options.areCompiled === true) return tried
  const unnoticed = tried.filter(({ verdict }) => verdict === "unnoticed")
  const refused = listRefused(
    unnoticed.map(({ mutant }) => mutant),
    CACHE,
  )
  return tried.map((one) => {
    const isRefused = one.verdict === "unnoticed" && refused.has(idOf(one.mutant))
    return isRefused ? { ...one, verdict: "refused" } : one
  })
}

/** One process tries them. It is started again when a mutant stops it. */
async function tryBatch(options: Options, stuck: Set<string>): Promise<readonly Tried[]> {
  const mutants = options.mutants.map((one) => ({ ...one, id: idOf(one) }))
  const byId = new Map(mutants.map((one) => [one.id, one]))
  const results: Tried[] = []
  let wanted = [...byId.keys()]
  const add = (id: string, isNoticed: boolean, by: string): void => {
    const mutant = byId.get(id)
    if (mutant === undefined) return
    const tried: Tried = { mutant, verdict: isNoticed ? "noticed" : "unnoticed", by }
    results.push(tried)
    options.report(tried)
    wanted = wanted.filter((other) => other !== id)
  }
  while (wanted.length > 0) {
    const tests = options.tests.filter((file) => !stuck.has(file))
    const end = await runWorker({ mutants, tests, wanted, cache: CACHE }, (message) => {
      if (message.type === "tried") add(message.id, message.noticed, message.by)
      if (message.type === "skipped") options.progress(`left out: ${message.file}: ${message.why}`)
    })
    if (end === null) continue
    if (end.type === "covering") {
      stuck.add(end.file)
      options.progress(`left out: ${end.file}: it does not end`)
    } else if (end.type === "trying") add(end.id, true, "no end, or the end of the process")
    else throw new Error(`The worker ended after ${JSON.stringify(end)}`)
  }
  return results
}

/**
 * Returns null after the last mutant; otherwise the last report before the worker stood still or
 * ended.
 */
function runWorker(task: Task, hear: (message: Report) => void): Promise<Report | null> {
  const { promise, resolve } = Promise.withResolvers<Report | null>()
  const child: ChildProcess = fork(join(import.meta.dirname, "worker.ts"), {
    stdio: ["ignore", "ignore", process.env["BALLAST_WORKER_ERRORS"] ? "inherit" : "ignore", "ipc"],
  })
  let last: Report = { type: "skipped", file: "", why: "not started" }
  let timer: NodeJS.Timeout | undefined
  const wait = (ms: number, turns = MOST_TURNS, usedMs = processorMsOf(child.pid)): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (turns > 1 && processorMsOf(child.pid) - usedMs < ms / 2) wait(ms, turns - 1, usedMs)
      else child.kill("SIGKILL")
    }, ms)
  }
  wait(LONGEST_MS * 6)
  child.on("message", (message) => {
    // CAST: the worker sends reports, and nothing else.
    const report = message as Report
    if (report.type !== "alive" && report.type !== "skipped") last = report
    wait(LONGEST_MS)
    hear(report)
  })
  child.on("exit", () => {
    clearTimeout(timer)
    resolve(last.type === "end" ? null : last)
  })
  child.send(task)
  return promise
}

/** The processor time of a process; where the system has no such file, it counts as busy. */
function processorMsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
    return (Number(user) + Number(system)) * 10
  } catch {
    return Date.now()
  }
}
