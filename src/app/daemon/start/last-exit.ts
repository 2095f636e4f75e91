import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { ExitReading } from "#health/readings.ts"
import { makeFolder } from "#lib/make-folder.ts"
import { replaceFile } from "./runtime-file.ts"

const FILE = "last-exit.json"

/** An error of a start whose reader is another daemon on the same directory. */
const OF_ANOTHER = "daemon.locked"

/**
 * Keeps the error that ended `ballast run`, because a supervisor may hide it: `status` and `doctor`
 * show it until the next start. A disk that takes nothing is found by them again.
 */
export function writeLastExit(dataDir: string, exit: ExitReading): void {
  if (exit.code === OF_ANOTHER) return
  try {
    makeFolder(dataDir)
    replaceFile(join(dataDir, FILE), JSON.stringify(exit))
  } catch {
    // The error itself is on standard error.
  }
}

/** `null` while a start goes well, and where none was tried. */
export function readLastExit(dataDir: string): ExitReading | null {
  try {
    // CAST: `writeLastExit` wrote it; a file in a closed directory has no other writer.
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as ExitReading
  } catch {
    return null
  }
}

export function forgetLastExit(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true })
}
