import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Gives a test run its own folder for temporary files and removes it at the end. `BALLAST_KEEP_TMP=1` keeps it. */
export function setup(): () => void {
  const before = process.env["TMPDIR"]
  const folder = mkdtempSync(join(tmpdir(), "ballast-test-"))
  process.env["TMPDIR"] = folder
  return () => {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
    if (process.env["BALLAST_KEEP_TMP"] !== "1") rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
