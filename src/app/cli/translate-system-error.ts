import { findJournalDamage } from "#journal/disk/find-damage.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"

/**
 * What the operating system refuses because of the arguments or the rights of this user, with the
 * remedy. Any other error is a bug.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder; name a folder, or move the file away",
  EISDIR: "it is a folder, and a file is expected",
  EEXIST: "it is there already",
  EACCES: "this user may not use it",
  EPERM: "this user may not do that",
  EADDRINUSE: "another program uses the address",
  EADDRNOTAVAIL: "this machine has no such address",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "the symbolic links of the path form a circle",
}

/**
 * Turns a refusal of the operating system into an error with a code: `system.*` (transient, exit
 * 75) for passing trouble of the machine, also behind an error that would end with 70 or 78,
 * `journal.damaged_file` (fatal, exit 78) where SQLite meets a damaged page, and `cli.system`
 * (fatal, exit 78) for a mistake in the configuration or in the arguments. They name the path or
 * address. `null` for any other error.
 */
export function translateSystemError(error: unknown): AppError | null {
  if (!(error instanceof AppError))
    return findEnvironmentFault(error) ?? findJournalDamage(error, null) ?? findMistake(error)
  if (!STOPS.includes(error.disposition)) return null
  const place = placeIn(error)
  return findEnvironmentFault(error, place) ?? findJournalDamage(error, place)
}

/** A supervisor starts no process again that ended with the exit code of these, or loops. */
const STOPS: readonly string[] = ["fatal", "bug"]

function placeIn({ details }: AppError): string | null {
  const place = details["file"] ?? details["path"] ?? details["dataDir"]
  return typeof place === "string" ? place : null
}

function findMistake(error: unknown): AppError | null {
  if (!(error instanceof Error) || !("code" in error)) return null
  const { code } = error
  const why = typeof code === "string" ? REMEDIES[code] : undefined
  if (why === undefined || !("syscall" in error)) return null
  const place = readPlace(error)
  const named = place === "" ? String(error.syscall) : place
  const message = `${named}: ${why} (${String(code)})`
  return new AppError({ code: "cli.system", disposition: "fatal", message, cause: error })
}

function readPlace(error: Error): string {
  // CAST: Node documents these fields of its system errors; each is checked below.
  const { path, address, port } = error as Error & {
    path?: unknown
    address?: unknown
    port?: unknown
  }
  if (typeof path === "string") return path
  if (typeof address !== "string") return ""
  return `${address}${typeof port === "number" ? `:${port}` : ""}`
}
