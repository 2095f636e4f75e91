import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { config as loadDotenv } from "dotenv"
import type { Config } from "#config/config.ts"
import { type LoadedConfig, loadConfig, readConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets.ts"
import { Secret } from "#lib/secret.ts"
import type { Invocation } from "./main.ts"

const EMBEDDED = join(import.meta.dirname, "..", "..", "config", "sandbox.yaml")

/**
 * The configuration that a command works with: `--config`, `$BALLAST_CONFIG`, `./ballast.yaml`, or the sandbox's. A `.env` file beside it
 * or in the working directory fills in variables that are not set. Throws `config.*` (exit 78).
 */
export function openConfig(invocation: Pick<Invocation, "config" | "env">): LoadedConfig & { file: string } {
  const file = prepareFile(invocation)
  return { ...loadConfig(file, invocation.env), file }
}

/** For commands that only read: keys may be missing, because they are not asked for. */
export function openConfigForReading(invocation: Pick<Invocation, "config" | "env">): Config {
  const file = prepareFile(invocation)
  const secrets = createSecretLookup(invocation.env, dirname(resolve(file)))
  const lenient = (reference: string): Secret => {
    try {
      return secrets(reference)
    } catch {
      // The daemon's keys need not be in every shell; what cannot be done without them fails when it is tried.
      return new Secret("", reference)
    }
  }
  return readConfig(file, lenient)
}

function prepareFile(invocation: Pick<Invocation, "config" | "env">): string {
  const file = findConfigFile(invocation)
  const paths = [".env", join(dirname(resolve(file)), ".env")].filter((path) => existsSync(path))
  if (paths.length > 0) loadDotenv({ path: paths, processEnv: invocation.env, quiet: true })
  return file
}

/** Which file that is; it need not be there. */
export function findConfigFile({ config, env }: Pick<Invocation, "config" | "env">): string {
  if (config !== null) return config
  const named = env["BALLAST_CONFIG"]
  if (named !== undefined && named !== "") return named
  return existsSync("ballast.yaml") ? "ballast.yaml" : EMBEDDED
}
