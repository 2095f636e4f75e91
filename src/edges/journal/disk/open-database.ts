import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { isLostLink, LOST_FILE_LINK, makeFolder } from "#lib/make-folder.ts"
import { judgeFile, judgeSchema, migrationsAfter, SCHEMA_VERSION } from "../schema-version.ts"
import { findJournalDamage } from "./find-damage.ts"

/**
 * Opens the journal's database and brings its schema up to date.
 *
 * Throws `journal.version` (fatal) when Ballast 0.4 or older wrote it, `journal.future_schema`
 * (fatal) when a newer one did, `journal.damaged_file` (fatal) when SQLite finds it damaged,
 * `journal.open` (fatal) when it cannot be opened, and `system.*` (transient) for trouble of the
 * machine. A journal that is refused stays as it is, byte by byte. `mostWaitMs`: once it is open, a
 * write waits no longer for the lock of another program.
 */
export function openDatabase(file: string, mostWaitMs = 5_000): DatabaseSync {
  try {
    if (isLostLink(file)) throw lostLink(file)
    judgeFile(file)
    if (file !== ":memory:") makeFolder(dirname(file))
    const db = new DatabaseSync(file, { timeout: 5_000 })
    db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on")
    // The pages of a thousand open orders fit into the cache (KiB), and a page that changes often
    // is copied into the database file more rarely (pages).
    db.exec("pragma cache_size = -32768; pragma wal_autocheckpoint = 4000")
    // Each step of a group is a savepoint, which keeps the pages as they were before it: in memory,
    // else they are two thirds of all written bytes.
    db.exec("pragma temp_store = memory")
    migrate(db, file)
    db.exec(`pragma busy_timeout = ${mostWaitMs}`)
    return db
  } catch (error) {
    throw cannotOpen(file, error)
  }
}

/**
 * `system.*` (transient) for trouble of the machine, `journal.damaged_file` (fatal) for a damaged
 * file, else `journal.open` (fatal); an error with a code of its own stays.
 */
export function cannotOpen(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const fault = findEnvironmentFault(error, file) ?? findJournalDamage(error, file)
  if (fault !== null) return fault
  return new AppError({
    code: "journal.open",
    disposition: "fatal",
    message:
      `The journal ${file} cannot be opened (${error instanceof Error ? error.message : error}); ` +
      adviceFor(error),
    details: { file },
    cause: error,
  })
}

function lostLink(file: string): AppError {
  return new AppError({
    code: "journal.open",
    disposition: "fatal",
    message: `The journal ${file} ${LOST_FILE_LINK}`,
    details: { file },
  })
}

function adviceFor(error: unknown): string {
  const isFolder = error instanceof Error && "code" in error && error.code === "EISDIR"
  return isFolder
    ? "it is a folder and no file: move it away, and put the newest backup in its place"
    : "check that data_dir is writable"
}

function migrate(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0)
  judgeSchema(version, file)
  const missing = migrationsAfter(version)
  missing.forEach((sql, index) => {
    const reached = SCHEMA_VERSION - missing.length + index + 1
    db.exec(`begin immediate; ${sql}; pragma user_version = ${reached}; commit`)
  })
}
