import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { config as loadDotenv } from "dotenv"
import type { Config } from "#config/config.ts"
import { type LoadedConfig, loadConfig, readConfig } from "#config/load.ts"
import type { SecretChoice } from "#config/resolve-secrets.ts"
import { createSecretLookup } from "#config/secrets.ts"
import { Secret } from "#lib/secret.ts"
import type { CommandContext } from "./define-command.ts"

/** The parts of a command's context that decide about its configuration. */
export type ConfigSource = Pick<CommandContext, "config" | "env">

const EMBEDDED = join(import.meta.dirname, "..", "..", "config", "sandbox.yaml")

/**
 * Opens the configuration: `--config`, `$BALLAST_CONFIG`, `./ballast.yaml`, or the sandbox's. A `.env` file beside it or in the working
 * directory sets missing environment variables. Throws `config.*` (exit 78).
 */
export function openConfig(
  source: ConfigSource,
  options: { choice?: SecretChoice } = {},
): LoadedConfig & { file: string } {
  const file = prepareFile(source)
  return { ...loadConfig(file, source.env, options), file }
}

/** Opens the configuration for a command that signs nothing: the keys may be missing. */
export function openConfigForReading(source: ConfigSource): Config {
  const file = prepareFile(source)
  const secrets = createSecretLookup(source.env, dirname(resolve(file)))
  const lenient = (reference: string): Secret => {
    try {
      return secrets(reference)
    } catch {
      // An operator's shell need not have the daemon's keys. A later step that needs a missing key fails with its own error.
      return new Secret("", reference)
    }
  }
  return readConfig(file, lenient)
}

function prepareFile(source: ConfigSource): string {
  const file = findConfigFile(source)
  const paths = [".env", join(dirname(resolve(file)), ".env")].filter((path) => existsSync(path))
  if (paths.length > 0) loadDotenv({ path: paths, processEnv: source.env, quiet: true })
  return file
}

/** Chooses the configuration file without a check that it exists. */
export function findConfigFile({ config, env }: ConfigSource): string {
  if (config !== null) return config
  const named = env["BALLAST_CONFIG"]
  if (named !== undefined && named !== "") return named
  return existsSync("ballast.yaml") ? "ballast.yaml" : EMBEDDED
}
