import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { config as loadDotenv } from "dotenv"
import type { Config } from "#config/config.ts"
import { type LoadedConfig, loadConfig, parseConfig, readConfigText } from "#config/load.ts"
import { isPlayKey } from "#config/play-keys.ts"
import type { SecretChoice } from "#config/resolve-secrets.ts"
import { createSecretLookup, type SecretLookup } from "#config/secrets.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { CommandContext } from "./define-command.ts"
import { usageError } from "./usage-error.ts"

/** The parts of a command's context that decide about its configuration. */
export type ConfigSource = Pick<CommandContext, "config" | "sandbox" | "env" | "tell">

export const PLAY_KEYS = "PLAY KEYS, never fund"

const EMBEDDED = join(import.meta.dirname, "..", "..", "config", "sandbox.yaml")

/**
 * Opens the configuration: `--config`, `$BALLAST_CONFIG`, or `./ballast.yaml`; with `--sandbox` the sandbox's. A `.env` file beside it sets
 * missing environment variables. Throws `config.*` (exit 78).
 */
export function openConfig(
  source: ConfigSource,
  options: { choice?: SecretChoice } = {},
): LoadedConfig & { file: string } {
  const file = prepareFile(source)
  const loaded = loadConfig(file, source.env, { ...homeOf(file), ...options })
  tellTreasury(source, loaded.config, file)
  return { ...loaded, file }
}

/** Opens the configuration for a command that signs nothing: the keys may be missing. */
export function openConfigForReading(source: ConfigSource): Config {
  const file = prepareFile(source)
  const config = parseConfig(readConfigText(file), { file, secrets: lenientSecrets(source, file), ...homeOf(file) })
  tellTreasury(source, config, file)
  return config
}

/** The lookup for commands that need no key: a missing secret is empty. */
export function lenientSecrets({ env }: ConfigSource, file: string): SecretLookup {
  const secrets = createSecretLookup(env, dirname(resolve(file)))
  return (reference) => {
    try {
      return secrets(reference)
    } catch {
      // An operator's shell need not have the daemon's keys. A later step that needs a missing key fails with its own error.
      return new Secret("", reference)
    }
  }
}

/** Chooses the configuration file without a check that a named one exists. Throws `config.not_found` (fatal) when none is named. */
export function findConfigFile({ config, sandbox, env }: Pick<ConfigSource, "config" | "sandbox" | "env">): string {
  if (sandbox && config !== null) throw usageError("--sandbox and --config exclude each other")
  if (sandbox) return EMBEDDED
  if (config !== null) return config
  const named = env["BALLAST_CONFIG"]
  if (named !== undefined && named !== "") return named
  if (existsSync("ballast.yaml")) return "ballast.yaml"
  throw new AppError({
    code: "config.not_found",
    disposition: "fatal",
    message: `There is no configuration: ${resolve("ballast.yaml")} does not exist, and neither --config nor BALLAST_CONFIG names a file. Give --config FILE, or --sandbox for the local sandbox`,
  })
}

/** The file that a check of permissions covers; `null` for the sandbox's, which is a part of the program. */
export function ownFileOf(file: string): string | null {
  return file === EMBEDDED ? null : file
}

/** The sandbox's configuration is a part of the program, so its data goes to the working directory. */
export function homeOf(file: string): { dataFrom?: string } {
  return file === EMBEDDED ? { dataFrom: process.cwd() } : {}
}

export function hasPlayKeys({ chains }: Config): boolean {
  return chains.some(({ key }) => isPlayKey(key))
}

/** The configuration file, after a `.env` file beside it has set missing environment variables. */
export function prepareFile(source: ConfigSource): string {
  const file = findConfigFile(source)
  const path = join(dirname(resolve(file)), ".env")
  if (existsSync(path)) loadDotenv({ path, processEnv: source.env, quiet: true })
  return file
}

/** A person must see on which treasury a command acts: two terminals may differ only in their folder. */
function tellTreasury({ tell }: ConfigSource, config: Config, file: string): void {
  const keys = hasPlayKeys(config) ? ` · ${PLAY_KEYS}` : ""
  tell(`Treasury ${config.treasury} · ${config.mode} · ${resolve(file)}${keys}`)
}
