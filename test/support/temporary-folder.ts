import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A new folder among the temporary files of this test run, which deletes them all at its end. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `${name}-`))
}
