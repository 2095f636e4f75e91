import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { config as loadDotenv } from "dotenv"
import { AppError } from "#lib/app-error.ts"
import type { CommandContext } from "./define-command.ts"
import { usageError } from "./usage-error.ts"

const EMBEDDED = join(import.meta.dirname, "..", "..", "config", "sandbox.yaml")

type Named = Pick<CommandContext, "config" | "sandbox" | "env">

/** Chooses the configuration file without a check that a named one exists. Throws `config.not_found` (fatal) when none is named. */
export function findConfigFile({ config, sandbox, env }: Named): string {
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

/** The configuration file, after a `.env` file beside it has set missing environment variables. */
export function prepareFile(source: Named): string {
  const file = findConfigFile(source)
  const path = join(dirname(resolve(file)), ".env")
  if (existsSync(path)) loadDotenv({ path, processEnv: source.env, quiet: true })
  return file
}
