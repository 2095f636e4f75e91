import { readFileSync } from "node:fs"
import { openSealed, sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { writeNewFile } from "#lib/write-new-file.ts"
import type { CommandContext } from "../define-command.ts"
import { readLine } from "../wallet/read-line.ts"
import type { Rescue } from "./describe-rescue.ts"
import type { WatchData } from "./watch-data.ts"

/**
 * The password of rescue files. It is never that of the keystores, because these files go to other
 * machines.
 */
export const RESCUE_PASSWORD = "BALLAST_RESCUE_PASSWORD"

const MIN_PASSWORD = 12

type Source = Pick<CommandContext, "env">

/** The form of the content. A file of a later form may hold what this version would misread. */
const VERSION = 1

/**
 * `watch`: what a watchtower needs; `null` where the configuration of a chain or an asset was
 * missing.
 */
export type SealedRescue = { readonly rescue: Rescue; readonly watch: WatchData | null }

/**
 * Writes a new file that only the password opens. Throws `rescue.file` (refused) for a file that
 * exists, and for a short password.
 */
export async function sealRescue(
  { env }: Source,
  file: string,
  content: SealedRescue,
): Promise<void> {
  const password = env[RESCUE_PASSWORD] ?? (await readLine("New password of the rescue file"))
  if (password.length < MIN_PASSWORD)
    throw refused(`a password needs at least ${MIN_PASSWORD} characters`)
  const text = sealKeystore(
    { kind: "rescue", text: encodeJson({ version: VERSION, ...content }) },
    password,
  )
  try {
    writeNewFile(file, text)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refused(
      `${file} cannot be written (${codeOf(error)}); an existing file is never replaced`,
    )
  }
}

/**
 * Throws `rescue.file` (refused) for a file that is cut off or none of `ballast rescue --encrypt`,
 * `rescue.password` (refused) for a wrong password or a changed file, and `rescue.version`
 * (refused) for a file of a later version.
 */
export async function openRescue({ env }: Source, file: string): Promise<SealedRescue> {
  const value = readJson(file)
  if (isLater(Reflect.get(Object(value), "ballast_keystore"))) throw laterVersion(file)
  if (!isRescueFile(value)) throw foreignFile(file)
  const password = env[RESCUE_PASSWORD] ?? (await readLine("Password of the rescue file"))
  const opened = openSealed(value, password)
  if (opened === "wrong-password")
    throw refused(`the password does not open ${file}, or the file was changed`, "rescue.password")
  if (opened === null) throw foreignFile(file)
  // CAST: the tag proves that a holder of the password wrote it, and `sealRescue` writes nothing
  // else.
  const content = decodeJson(opened.text) as SealedRescue & { readonly version: number }
  if (content.version !== VERSION) throw laterVersion(file)
  return { rescue: content.rescue, watch: content.watch }
}

/** False for a file that an earlier version wrote only in part, on a full disk. */
export function isWholeRescue(file: string): boolean {
  try {
    return isRescueFile(JSON.parse(readFileSync(file, "utf8")))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function isRescueFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "rescue"
}

function isLater(version: unknown): boolean {
  return typeof version === "number" && version > VERSION
}

function laterVersion(file: string): AppError {
  return refused(
    `${file} was written by a later version of Ballast; open it with that version`,
    "rescue.version",
  )
}

function foreignFile(file: string): AppError {
  return refused(`${file} is not a file of \`ballast rescue --encrypt\`, or it is cut off`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch (error) {
    if (error instanceof SyntaxError) throw foreignFile(file)
    throw refused(`${file} cannot be read (${codeOf(error)})`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error"
}

function refused(message: string, code = "rescue.file"): AppError {
  return new AppError({ code, disposition: "refused", message })
}
