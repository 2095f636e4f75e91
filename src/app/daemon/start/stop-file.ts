import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findEnvironmentFault } from "#lib/environment-fault.ts"

const NAME = "PAUSE"
const LONGEST = 200

/**
 * The reason in the file PAUSE of a data directory; `null` without the file. A file that cannot be
 * read asks for a pause too.
 */
export function readStopFile(dataDir: string): string | null {
  const path = join(dataDir, NAME)
  if (!existsSync(path)) return null
  try {
    const [line = ""] = readFileSync(path, "utf8").trim().split("\n")
    return line.trim() === "" ? "the file PAUSE" : line.trim().slice(0, LONGEST)
  } catch {
    return "the file PAUSE, which cannot be read"
  }
}

/**
 * Returns the path of the file. A full disk may take the file and not its text; it pauses all the
 * same.
 */
export function writeStopFile(dataDir: string, reason: string): string {
  const path = join(dataDir, NAME)
  try {
    writeFileSync(path, `${reason}\n`, { mode: 0o600 })
  } catch (error) {
    if (!existsSync(path)) throw findEnvironmentFault(error, path) ?? error
  }
  return path
}
