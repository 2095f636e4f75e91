import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { makeFolder } from "#lib/make-folder.ts"
import { judgeFile } from "../schema-version.ts"
import { findJournalDamage } from "./find-damage.ts"

type JournalBackup = {
  readonly file: string
  readonly bytes: number
  readonly schema: number
  readonly orders: number
  readonly events: number
}

/**
 * Makes a consistent copy of a journal, also while a daemon writes to it: SQLite's VACUUM INTO
 * reads in one transaction (sqlite.org/lang_vacuum.html). The copy gets its name only after it is
 * flushed and checked, so that a file with that name is complete.
 *
 * Throws `journal.missing`, `journal.backup_exists`, `journal.backup` (all refused),
 * `journal.damaged_file` (fatal) for a damaged one, `journal.version` and `journal.future_schema`
 * (fatal) for a journal of another version, and
 * `system.*` (transient) for trouble of the machine.
 */
export function backUpJournal(file: string, to: string): JournalBackup {
  if (!existsSync(file)) {
    throw refusal(
      "journal.missing",
      `There is no journal at ${file}; either no daemon ran there, or data_dir names ` +
        "another folder",
    )
  }
  if (existsSync(to))
    throw refusal("journal.backup_exists", `${to} is already there; give --to a new name`)
  const part = `${to}.part`
  try {
    judgeFile(file)
    makeFolder(dirname(to))
    rmSync(part, { force: true })
    // The copy holds signed transactions, so only its owner may read it, from the first byte on.
    // SQLite fills an empty file.
    closeSync(openSync(part, "wx", 0o600))
    copy(file, part)
    flush(part)
    const contents = verify(part)
    renameSync(part, to)
    flush(dirname(to))
    return { file: to, bytes: statSync(to).size, ...contents }
  } catch (error) {
    rmSync(part, { force: true })
    if (error instanceof AppError) throw error
    const fault = findEnvironmentFault(error, to) ?? findJournalDamage(error, file)
    if (fault !== null) throw fault
    const why = error instanceof Error ? error.message : String(error)
    throw refusal(
      "journal.backup",
      `The backup was not made: ${why}; check the disk and the folder of ${to}`,
      error,
    )
  }
}

function copy(file: string, to: string): void {
  const db = new DatabaseSync(file, { timeout: 30_000 })
  try {
    db.prepare("vacuum into ?").run(to)
  } finally {
    db.close()
  }
}

function verify(file: string): Pick<JournalBackup, "schema" | "orders" | "events"> {
  const db = new DatabaseSync(file, { readOnly: true })
  const count = (sql: string, column: string): number => Number(db.prepare(sql).get()?.[column])
  try {
    const found = db.prepare("pragma integrity_check").all()
    const sound = found.length === 1 && found[0]?.["integrity_check"] === "ok"
    if (!sound)
      throw refusal(
        "journal.backup",
        "The copy does not pass SQLite's integrity check; the journal may be damaged",
      )
    return {
      schema: count("pragma user_version", "user_version"),
      orders: count("select count(*) n from orders", "n"),
      events: count("select count(*) n from events", "n"),
    }
  } finally {
    db.close()
  }
}

/** Neither VACUUM INTO nor SQLite's backup flushes its file. */
export function flush(path: string): void {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function refusal(code: string, message: string, cause?: unknown): AppError {
  return new AppError({
    code,
    disposition: "refused",
    message,
    ...(cause === undefined ? {} : { cause }),
  })
}
