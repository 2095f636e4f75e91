import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

/** A file system in memory. Unit tests write there, and wait for no disk; what a disk keeps is a question for other tests. */
const MEMORY = "/dev/shm"

/** The folder for temporary files in memory that belongs to a run's own folder, where the machine has one. */
export function inMemory(folder: string): string {
  return existsSync(MEMORY) ? join(MEMORY, basename(folder)) : folder
}

/** Gives a test run its own folder for temporary files and removes it at the end. `BALLAST_KEEP_TMP=1` keeps it. */
export function setup(): () => void {
  const before = process.env["TMPDIR"]
  const folder = mkdtempSync(join(tmpdir(), "ballast-test-"))
  process.env["TMPDIR"] = folder
  return () => {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
    if (process.env["BALLAST_KEEP_TMP"] === "1") return
    for (const path of [folder, inMemory(folder)]) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}
