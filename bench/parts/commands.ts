import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { journalFile } from "#daemon/start/journal-file.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { atMost, byStart, type Goal, type Part, type Row } from "../row.ts"

const ROOT = join(import.meta.dirname, "..", "..")
const TRIES = 7

/** The least wall time of commands that ask no node: the first run fills the compile cache. */
export const commands: Part = async () => {
  const home = mkdtempSync(join(tmpdir(), "bench-home-"))
  // The treasury of `--sandbox` in the working directory. No daemon runs, so each command reads its
  // journal.
  mkdirSync(join(home, "data", "sandbox"), { recursive: true, mode: 0o700 })
  openJournal(journalFile({ dataDir: join(home, "data", "sandbox") })).close()
  const time = (...args: string[]): number => timeNode([join(ROOT, "bin/ballast.cjs"), ...args])
  const timeNode = (args: readonly string[]): number => {
    // The options ask for a profile.
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      NODE_OPTIONS: process.env["NODE_OPTIONS"] ?? "",
    }
    const times = Array.from({ length: TRIES }, () => {
      const startMs = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env })
      if (status !== 0) throw new Error(String(stderr))
      return performance.now() - startMs
    })
    return Math.min(...times)
  }
  const floor = timeNode(["-e", "0"])
  const rowOf = (what: string, value: number, goal: Goal): Row => {
    return { what: `ballast ${what}`, value, unit: "ms", goal: byStart(goal, floor), floor }
  }
  const rows = [
    rowOf("--help", time("--help"), atMost(80)),
    ...["check", "rules", "orders", "alerts", "report", "wallet"].map((name) =>
      rowOf(`${name}, five chains`, time(name, "--sandbox"), atMost(300)),
    ),
  ]
  rmSync(home, { recursive: true })
  return rows
}
