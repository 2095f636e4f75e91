import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readConfigText } from "#config/read-config-text.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import type { UnreadConfig } from "#health/readings.ts"
import { AppError } from "#lib/app-error.ts"
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

/** The configuration file, if its text is not the one in force, and why a start would refuse it. */
export function findUnreadConfig(dataDir: string): UnreadConfig | null {
  const inForce = readConfigInForce(dataDir)
  if (inForce === null) return null
  const { file } = inForce
  try {
    const text = readConfigText(file)
    if (text === inForce.text) return null
    const [mistake] = readYamlSource(text, file).problems
    const where = mistake === undefined ? "" : `line ${mistake.line}: ${mistake.message}`
    return { file, mistake: mistake === undefined ? null : `it has a mistake in ${where}` }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { file, mistake: error.message }
  }
}
