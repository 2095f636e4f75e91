import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatRules } from "./format-rules.ts"
import type { RuleTable } from "./rules.ts"

/** One search of the whole state space. `defines` are macros of ballast.pml. */
export type ModelCase = {
  readonly defines?: readonly string[]
  readonly rules?: RuleTable
  /**
   * A search that ends at its first counterexample needs no fast program; compiling it takes
   * longer.
   */
  readonly isShort?: boolean
}

/**
 * `broken`: the promise that a counterexample breaks; `null` when every state keeps all of them.
 */
export type ModelResult = {
  readonly broken: string | null
  readonly states: number
  readonly depth: number
}

/** The promises by their number in ballast.pml. */
export const PROMISES: Readonly<Record<number, string>> = {
  1: "an order has at most one deposit",
  2: "no reveal beside a refund, unless the payout is lost",
  3: "no effect without a durable claim",
  4: "a repeated signature has the same bytes",
  5: "nothing acknowledged is lost",
  6: "a released deposit never lands",
  7: "no append of an older epoch",
  8: "a call beside another leader is one of a frozen process",
  9: "every run ends with all orders ended",
}

/**
 * Whether spin and gcc are here. `.ci/run` installs them and sets `BALLAST_NEEDS_SPIN`: then their
 * absence is an error.
 */
export function hasSpin(): boolean {
  const missing = ["spin", "gcc"].filter((program) => spawnSync("which", [program]).status !== 0)
  if (missing.length === 0) return true
  if (process.env["BALLAST_NEEDS_SPIN"] === "1")
    throw new Error(`install Debian's ${missing.join(" and ")}`)
  process.stderr.write(
    `\nSKIPPED: the formal model, because ${missing.join(" and ")} is not installed\n\n`,
  )
  return false
}

/**
 * Searches every reachable state: no hashing without collision check, no limit of depth that a run
 * reaches. Throws if the search is not complete.
 */
export function runSpin({ defines = [], rules, isShort = false }: ModelCase): ModelResult {
  const directory = mkdtempSync(join(tmpdir(), "spin-"))
  try {
    const run = (program: string, args: readonly string[]): string =>
      execFileSync(program, args, {
        cwd: directory,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      })
    writeFileSync(
      join(directory, "ballast.pml"),
      readFileSync(join(import.meta.dirname, "ballast.pml")),
    )
    writeFileSync(join(directory, "rules.pml"), formatRules(rules))
    run("spin", ["-a", ...defines.map((define) => `-D${define}`), "ballast.pml"])
    run("gcc", [isShort ? "-O0" : "-O2", "-DSAFETY", "-DVECTORSZ=512", "-w", "-o", "pan", "pan.c"])
    return readReport(run("./pan", ["-m100000", "-w22"]))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function readReport(report: string): ModelResult {
  const numberAfter = (pattern: RegExp): number => Number(pattern.exec(report)?.[1])
  const errors = numberAfter(/errors: (\d+)/)
  const states = numberAfter(/(\d[\d.e+]*) states, stored/)
  const depth = numberAfter(/depth reached (\d+)/)
  const isWhole =
    /Full statespace search|State-vector/.test(report) &&
    !/max search depth too small|out of memory/.test(report)
  if (!isWhole || Number.isNaN(errors + states + depth))
    throw new Error(`the search is not complete:\n${report}`)
  if (errors === 0) return { broken: null, states, depth }
  const promise = PROMISES[numberAfter(/\|\|\((\d+)==0\)\)/)]
  if (promise === undefined) throw new Error(`a counterexample without a promise:\n${report}`)
  return { broken: promise, states, depth }
}
