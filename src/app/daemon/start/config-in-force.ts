import { readFileSync } from "node:fs"
import { join } from "node:path"
import { replaceFile } from "./runtime-file.ts"

/**
 * The text of the configuration that the daemon of a data directory last put in force, with the
 * path of its file.
 */
type ConfigInForce = { readonly file: string; readonly text: string }

const FILE = "config-in-force.json"

/**
 * Kept after the daemon ends: `order` and `rescue` read it when the configuration file is damaged.
 * Secrets are references in it.
 */
export function writeConfigInForce(dataDir: string, config: ConfigInForce): void {
  replaceFile(join(dataDir, FILE), JSON.stringify(config))
}

export function readConfigInForce(dataDir: string): ConfigInForce | null {
  try {
    // CAST: `writeConfigInForce` wrote it; a file in a closed directory has no other writer.
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as ConfigInForce
  } catch {
    // No daemon has started here yet.
    return null
  }
}

/**
 * The configuration file, if its text is not the one in force. A file that cannot be read differs
 * too.
 */
export function findUnreadConfig(dataDir: string): string | null {
  const inForce = readConfigInForce(dataDir)
  if (inForce === null) return null
  try {
    return readFileSync(inForce.file, "utf8") === inForce.text ? null : inForce.file
  } catch {
    return inForce.file
  }
}
