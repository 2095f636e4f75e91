import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { config as loadDotenv } from "dotenv"
import type { Config } from "#config/config.ts"
import { loadConfig } from "#config/load.ts"
import type { Invocation } from "./main.ts"

const EMBEDDED = join(import.meta.dirname, "..", "..", "config", "sandbox.yaml")

/**
 * The configuration that a command works with: `--config`, `$BALLAST_CONFIG`, `./ballast.yaml`, or the sandbox's. A `.env` file beside it
 * or in the working directory fills in variables that are not set. Throws `config.*` (exit 78).
 */
export function openConfig(invocation: Pick<Invocation, "config" | "env">): { config: Config; file: string } {
  const file = configFile(invocation)
  const paths = [".env", join(dirname(resolve(file)), ".env")].filter((path) => existsSync(path))
  if (paths.length > 0) loadDotenv({ path: paths, processEnv: invocation.env, quiet: true })
  return { config: loadConfig(file, invocation.env), file }
}

function configFile({ config, env }: Pick<Invocation, "config" | "env">): string {
  if (config !== null) return config
  const named = env["BALLAST_CONFIG"]
  if (named !== undefined && named !== "") return named
  return existsSync("ballast.yaml") ? "ballast.yaml" : EMBEDDED
}
