import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * A file system in memory. A kill of a process loses nothing there; what a loss of power leaves is
 * asked by `test/proof/journal`.
 */
const MEMORY = "/dev/shm"
/** The chains of several sandboxes at once. In a container this file system can be much smaller. */
const LEAST_ROOM_BYTES = 4 * 2 ** 30

/**
 * Gives a test run its own folder for temporary files and removes it at the end.
 * `BALLAST_KEEP_TMP=1` keeps it.
 */
export function setup(): () => void {
  const before = process.env["TMPDIR"]
  const folder = mkdtempSync(
    join(before === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir(), "ballast-test-"),
  )
  process.env["TMPDIR"] = folder
  return () => {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
    if (process.env["BALLAST_KEEP_TMP"] !== "1")
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= LEAST_ROOM_BYTES
}
