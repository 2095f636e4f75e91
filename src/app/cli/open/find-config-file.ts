import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { findOpenFile } from "#daemon/start/private-files.ts"
import { AppError } from "#lib/app-error.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import type { CommandContext } from "../define-command.ts"
import { usageError } from "../usage-error.ts"
import { type DotEnv, readDotEnv } from "./read-dot-env.ts"

const EMBEDDED = join(import.meta.dirname, "..", "..", "..", "..", "config", "sandbox.yaml")

type Named = Pick<CommandContext, "config" | "sandbox" | "env">

/**
 * Chooses the configuration file without a check that a named one exists. Throws `config.not_found`
 * (fatal) when none is named.
 */
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
    message:
      `There is no configuration: ${resolve("ballast.yaml")} does not exist, and neither ` +
      "--config nor BALLAST_CONFIG names a file. Give --config FILE, or --sandbox for the " +
      "local sandbox",
  })
}

/**
 * The file that a check of permissions covers; `null` for the sandbox's, which is a part of the
 * program.
 */
export function ownFileOf(file: string): string | null {
  return file === EMBEDDED ? null : file
}

/**
 * The sandbox's configuration is a part of the program, so its data goes to the working directory.
 */
export function homeOf(file: string): { dataFrom?: string } {
  return file === EMBEDDED ? { dataFrom: process.cwd() } : {}
}

/**
 * The configuration file, after a `.env` file beside it has set missing environment variables.
 * Another user could leave both in a folder where a command runs by chance. Throws
 * `config.file_open` (fatal) for a `.env`, and for a `./ballast.yaml` that was not named, that
 * another user owns or can change.
 */
export function prepareFile(source: Named): string {
  const file = findConfigFile(source)
  const found = isNamed(source) ? [] : findOpenFile(file)
  const [open] = [...found, ...findOpenFile(envFileOf(file))]
  if (open !== undefined) {
    const { code, path } = open
    const message = `${open.found}: ${open.todo}`
    throw new AppError({ code, disposition: "fatal", message, details: { path } })
  }
  for (const [name, value] of Object.entries(readEnvFile(file).values)) source.env[name] ??= value
  return file
}

function isNamed({ config, sandbox, env }: Named): boolean {
  return config !== null || sandbox || (env["BALLAST_CONFIG"] ?? "") !== ""
}

/** An error that names a variable also says that `.env` cut its value, or is no file. */
export function explainCut(error: unknown, file: string): unknown {
  if (!(error instanceof AppError)) return error
  const { code, disposition, message, details, cause } = error
  const explain = (found: string): AppError =>
    new AppError({ code, disposition, message: `${message}\n${found}`, details, cause })
  if (message.includes(NEEDS_FILE) && isFolder(envFileOf(file)))
    return explain(`${envFileOf(file)} is a folder, so it sets no variable: put a file there`)
  const cut = readEnvFile(file).cut.filter((name) => message.includes(name))
  if (cut.length === 0) return error
  const found =
    `In .env the value of ${cut.join(" and ")} ends before " #"; write it in quotes if the # ` +
    "belongs to it"
  return explain(found)
}

/** In the error of a variable that is not set. A tool that mounts a missing file makes a folder. */
const NEEDS_FILE = "into the file .env"

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/**
 * A file that cannot be read gives nothing: the secrets that it should set are reported as missing.
 */
function readEnvFile(file: string): DotEnv {
  const path = envFileOf(file)
  try {
    return existsSync(path) ? readDotEnv(readUserFile(path).toString("utf8")) : NOTHING
  } catch {
    return NOTHING
  }
}

function envFileOf(file: string): string {
  return join(dirname(resolve(file)), ".env")
}

const NOTHING: DotEnv = { values: {}, cut: [] }
