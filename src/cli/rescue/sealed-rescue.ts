import { readFileSync, writeFileSync } from "node:fs"
import { openSealed, sealKeystore } from "#config/sealed-keystore.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { readLine } from "../wallet/read-line.ts"
import type { Rescue } from "./describe-rescue.ts"

/** The password of rescue files. It is never that of the keystores, because these files go to other machines. */
export const RESCUE_PASSWORD = "BALLAST_RESCUE_PASSWORD"

const MIN_PASSWORD = 12

type Source = Pick<CommandContext, "env">

/** Writes a new file that only the password opens. Throws `rescue.file` (refused) for a file that exists, and for a short password. */
export async function sealRescue({ env }: Source, file: string, rescue: Rescue): Promise<void> {
  const password = env[RESCUE_PASSWORD] ?? (await readLine("New password of the rescue file"))
  if (password.length < MIN_PASSWORD) throw refused(`a password needs at least ${MIN_PASSWORD} characters`)
  const text = sealKeystore({ kind: "rescue", text: encodeJson(rescue) }, password)
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" })
  } catch (error) {
    throw refused(`${file} cannot be written (${codeOf(error)}); an existing file is never replaced`)
  }
}

/** Throws `rescue.file` (refused) for a file that is none of `ballast rescue --encrypt`, and for a wrong password. */
export async function openRescue({ env }: Source, file: string): Promise<Rescue> {
  const value = readJson(file)
  const password = env[RESCUE_PASSWORD] ?? (await readLine("Password of the rescue file"))
  const opened = openSealed(value, password)
  if (opened === "wrong-password") throw refused(`the password does not open ${file}`)
  if (opened?.kind !== "rescue") throw refused(`${file} is not a file of \`ballast rescue --encrypt\``)
  // CAST: the tag proves that a holder of the password wrote it, and `sealRescue` writes nothing else.
  return decodeJson(opened.text) as Rescue
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch (error) {
    throw refused(`${file} cannot be read (${codeOf(error)})`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "no JSON"
}

function refused(message: string): AppError {
  return new AppError({ code: "rescue.file", disposition: "refused", message })
}
