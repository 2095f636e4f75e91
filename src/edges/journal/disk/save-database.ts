import { closeSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { backup, type DatabaseSync } from "node:sqlite"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { makeFolder } from "#lib/make-folder.ts"
import { flush } from "./back-up-journal.ts"

/** SQLite copies so many pages at once; the connection waits for less than a millisecond. */
const PAGES = 256

/**
 * Copies an open database to `to`, over an earlier copy, beside the event loop
 * (sqlite.org/backup.html). The copy needs only the connection, not the database's own files, and
 * it gets its name when it is complete.
 */
export async function saveDatabase(db: DatabaseSync, to: string): Promise<void> {
  const part = `${to}.part`
  try {
    makeFolder(dirname(to))
    rmSync(part, { force: true })
    // It holds signed transactions, so only its owner may read it, from the first byte on.
    closeSync(openSync(part, "wx", 0o600))
    await backup(db, part, { rate: PAGES })
    flush(part)
    renameSync(part, to)
    flush(dirname(to))
  } catch (error) {
    rmSync(part, { force: true })
    throw findEnvironmentFault(error, to) ?? error
  }
}
