import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const NAME = "PAUSE"
const LONGEST = 200

/** The reason in the file PAUSE of a data directory; `null` without the file. A file that cannot be read asks for a pause too. */
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

/** Returns the path of the file. */
export function writeStopFile(dataDir: string, reason: string): string {
  const path = join(dataDir, NAME)
  writeFileSync(path, `${reason}\n`, { mode: 0o600 })
  return path
}
