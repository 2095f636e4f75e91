import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { readConfigText } from "#config/read-config-text.ts"
import { readDataDir } from "#config/read-data-dir.ts"
import { AppError } from "#lib/app-error.ts"
import type { CommandContext } from "../define-command.ts"
import { homeOf, prepareFile } from "./find-config-file.ts"

/** A treasury for a command that must work while its configuration file is damaged. */
export type FoundTreasury = {
  readonly dataDir: string
  /**
   * The configuration of the file, else the one that the daemon last put in force; `null` without
   * both. A note on standard error tells which.
   */
  readonly readConfig: () => Promise<Config | null>
}

/**
 * Finds the data directory without a valid configuration: by `--data-dir`, or by the one line of
 * the file. The configuration itself is read when it is asked for: a running daemon answers without
 * it, and it takes most of a command's time. Throws `config.not_found` and `config.unreadable`
 * (fatal).
 */
export function findTreasury(context: CommandContext, asked: string | null): FoundTreasury {
  if (asked !== null) {
    const dataDir = resolve(asked)
    if (!existsSync(dataDir)) throw missing(dataDir)
    return { dataDir, readConfig: () => readLastConfig(context, dataDir) }
  }
  const file = prepareFile(context)
  const dataDir = readDataDir(readConfigText(file), homeOf(file).dataFrom ?? dirname(resolve(file)))
  return { dataDir, readConfig: () => readFile(context, file, dataDir) }
}

export type OpenedTreasury = { readonly dataDir: string; readonly config: Config | null }

/** The same, for a command that always needs the configuration. A sound file is read once. */
export async function openTreasury(
  context: CommandContext,
  asked: string | null,
): Promise<OpenedTreasury> {
  if (asked === null) {
    const { openConfigForReading } = await import("./open-config.ts")
    try {
      const config = openConfigForReading(context)
      return { dataDir: config.dataDir, config }
    } catch (error) {
      if (!isDamaged(error)) throw error
    }
  }
  const { dataDir, readConfig } = findTreasury(context, asked)
  return { dataDir, config: await readConfig() }
}

async function readFile(
  context: CommandContext,
  file: string,
  dataDir: string,
): Promise<Config | null> {
  const { openConfigForReading } = await import("./open-config.ts")
  try {
    return openConfigForReading(context)
  } catch (error) {
    if (!isDamaged(error)) throw error
    const config = await readLastConfig(context, dataDir)
    const instead =
      config === null
        ? "amounts are in smallest units"
        : "the configuration that was last in force counts"
    context.warn(`${file} has mistakes (\`ballast check\` lists them); ${instead}`)
    return config
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof AppError && ["config.invalid", "config.secret"].includes(error.code)
}

async function readLastConfig(context: CommandContext, dataDir: string): Promise<Config | null> {
  const [{ readConfigInForce }, { parseConfig }, { lenientSecrets }] = await Promise.all([
    import("#daemon/start/config-in-force.ts"),
    import("#config/load.ts"),
    import("./open-config.ts"),
  ])
  const stored = readConfigInForce(dataDir)
  if (stored === null) return null
  const { file, text } = stored
  try {
    return { ...parseConfig(text, { file, secrets: lenientSecrets(context, file) }), dataDir }
  } catch (error) {
    // Another version put it in force, and this one refuses it.
    if (error instanceof AppError) return null
    throw error
  }
}

function missing(dataDir: string): AppError {
  const message = `There is no folder ${dataDir}; give the data_dir of the daemon`
  return new AppError({
    code: "journal.missing",
    disposition: "refused",
    message,
    details: { dataDir },
  })
}
