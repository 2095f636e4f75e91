import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { parseConfig, readConfigText } from "#config/load.ts"
import { readDataDir } from "#config/read-data-dir.ts"
import { readConfigInForce } from "#daemon/config-in-force.ts"
import { AppError } from "#lib/app-error.ts"
import type { CommandContext } from "./define-command.ts"
import { findConfigFile, homeOf, lenientSecrets, openConfigForReading } from "./open-config.ts"

/** A treasury for a command that must work while its configuration file is damaged. */
export type OpenedTreasury = {
  readonly dataDir: string
  /** The file's, else the one that the daemon last put in force; `null` without both. */
  readonly config: Config | null
}

/**
 * Finds the data directory without a valid configuration: by `--data-dir`, or by the one line of the file. The configuration that the daemon
 * last put in force replaces a damaged file, and a note on standard error says so. Throws `config.not_found` and `config.unreadable` (fatal).
 */
export function openTreasury(context: CommandContext, asked: string | null): OpenedTreasury {
  if (asked !== null) {
    const dataDir = resolve(asked)
    if (!existsSync(dataDir)) throw missing(dataDir)
    return { dataDir, config: readLastConfig(context, dataDir) }
  }
  try {
    const config = openConfigForReading(context)
    return { dataDir: config.dataDir, config }
  } catch (error) {
    if (!(error instanceof AppError) || !["config.invalid", "config.secret"].includes(error.code)) throw error
    const file = findConfigFile(context)
    const dataDir = readDataDir(readConfigText(file), homeOf(file).dataFrom ?? dirname(resolve(file)))
    const config = readLastConfig(context, dataDir)
    const instead =
      config === null ? "amounts are in smallest units" : "the configuration that was last in force counts"
    context.warn(`${file} has mistakes (\`ballast check\` lists them); ${instead}`)
    return { dataDir, config }
  }
}

function readLastConfig(context: CommandContext, dataDir: string): Config | null {
  const stored = readConfigInForce(dataDir)
  if (stored === null) return null
  const { file, text } = stored
  try {
    return { ...parseConfig(text, { file, secrets: lenientSecrets(context, file) }), dataDir }
  } catch (error) {
    // An earlier version put it in force, and this one refuses it.
    if (error instanceof AppError) return null
    throw error
  }
}

function missing(dataDir: string): AppError {
  const message = `There is no folder ${dataDir}; give the data_dir of the daemon`
  return new AppError({ code: "journal.missing", disposition: "refused", message, details: { dataDir } })
}
