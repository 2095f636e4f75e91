import { dirname, resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { type LoadedConfig, loadConfig, parseConfig } from "#config/load.ts"
import { readConfigText } from "#config/read-config-text.ts"
import { isPlayKey } from "#config/secrets/play-keys.ts"
import type { SecretChoice } from "#config/secrets/resolve-secrets.ts"
import { createSecretLookup, type SecretLookup } from "#config/secrets/secrets.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { CommandContext } from "../define-command.ts"
import { explainCut, homeOf, prepareFile } from "./find-config-file.ts"

/** The parts of a command's context that decide about its configuration. */
export type ConfigSource = Pick<CommandContext, "config" | "sandbox" | "env" | "tell">

export const PLAY_KEYS = "PLAY KEYS, never fund"

/**
 * Opens the configuration: `--config`, `$BALLAST_CONFIG`, or `./ballast.yaml`; with `--sandbox` the
 * sandbox's. A `.env` file beside it sets missing environment variables. Throws `config.*` (exit
 * 78).
 */
export function openConfig(
  source: ConfigSource,
  options: { choice?: SecretChoice } = {},
): LoadedConfig & { file: string } {
  const file = prepareFile(source)
  const loaded = explained(file, () =>
    loadConfig(file, source.env, { ...homeOf(file), ...options }),
  )
  tellTreasury(source, loaded.config, file)
  return { ...loaded, file }
}

/** The token that a reference on the command line names, as in the configuration. */
export function findToken(source: ConfigSource, reference: string): Secret {
  return createSecretLookup(source.env, dirname(resolve(prepareFile(source))))(reference)
}

/** Opens the configuration for a command that signs nothing: the keys may be missing. */
export function openConfigForReading(source: ConfigSource): Config {
  const file = prepareFile(source)
  const config = parseConfig(readConfigText(file), {
    file,
    secrets: lenientSecrets(source, file),
    ...homeOf(file),
  })
  tellTreasury(source, config, file)
  return config
}

/** The lookup for commands that need no key: a missing secret is empty, and keeps the cause. */
export function lenientSecrets({ env }: ConfigSource, file: string): SecretLookup {
  const secrets = createSecretLookup(env, dirname(resolve(file)))
  return (reference) => {
    try {
      return secrets(reference)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // An operator's shell need not have the daemon's keys. A later step that needs this one fails
      // with the cause.
      return new Secret("", reference, error)
    }
  }
}

function explained<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw explainCut(error, file)
  }
}

export function hasPlayKeys({ chains }: Config): boolean {
  return chains.some(({ key }) => isPlayKey(key))
}

/**
 * A person must see on which treasury a command acts: two terminals may differ only in their
 * folder.
 */
function tellTreasury({ tell }: ConfigSource, config: Config, file: string): void {
  const keys = hasPlayKeys(config) ? ` · ${PLAY_KEYS}` : ""
  tell(`Treasury ${config.treasury} · ${config.mode} · ${resolve(file)}${keys}`)
}
