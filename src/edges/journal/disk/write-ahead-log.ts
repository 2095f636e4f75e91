import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { cannotOpen } from "./open-database.ts"
import { type Disk, shareSyncs } from "./share-syncs.ts"

type WriteAheadLog = {
  /**
   * Resolves when all that was committed before the call is on disk. Never resolves when the disk
   * fails.
   */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/**
 * The disk of a journal. Without `onFailure`, and for a database without a write-ahead log, each
 * commit waits for it itself.
 */
export function openDisk(
  db: DatabaseSync,
  file: string,
  onFailure: ((error: unknown) => void) | undefined,
): Disk & { readonly close: () => void } {
  const log = onFailure === undefined ? null : openWriteAheadLog(db, file, onFailure)
  return { ...shareSyncs(log?.sync ?? null), close: () => log?.close() }
}

/**
 * Lets SQLite commit without waiting for the disk, and waits beside the event loop instead: a
 * commit then writes only into the write-ahead log, which SQLite itself syncs before it copies
 * pages into the database (https://www.sqlite.org/pragma.html#pragma_synchronous, `NORMAL`). `null`
 * for a database without such a log.
 *
 * After a failed sync it is unknown which bytes are on disk, and the next one may succeed without
 * them, because the kernel forgets the pages. So `onFailure` ends the process.
 *
 * Throws `journal.open` (fatal) when the log cannot be opened.
 */
function openWriteAheadLog(
  db: DatabaseSync,
  file: string,
  onFailure: (error: unknown) => void,
): WriteAheadLog | null {
  if (db.prepare("pragma journal_mode").get()?.["journal_mode"] !== "wal") return null
  db.exec("pragma synchronous = normal")
  const descriptor = openLog(file)
  let isClosed = false
  return {
    sync: () =>
      new Promise((resolve) => {
        fdatasync(descriptor, (error) =>
          error === null || isClosed ? resolve() : onFailure(error),
        )
      }),
    close: () => {
      isClosed = true
      try {
        fdatasyncSync(descriptor)
      } catch (error) {
        onFailure(error)
      }
      closeSync(descriptor)
    },
  }
}

/**
 * The file exists since the schema was read. SQLite has its locks on other files, so this
 * descriptor takes none away.
 */
function openLog(file: string): number {
  try {
    return openSync(`${file}-wal`, "r+")
  } catch (error) {
    throw cannotOpen(file, error)
  }
}
