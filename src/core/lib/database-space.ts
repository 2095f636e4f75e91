/** The part of an SQLite database that this file needs. The database is a file in WAL mode. */
type Database = {
  exec(sql: string): void
  prepare(sql: string): {
    get(): Readonly<Record<string, unknown>> | undefined
    run(size: number): unknown
  }
}

/**
 * Space inside a database's own files, so that writes go on while the disk is full: no other
 * program can take it.
 */
export type DatabaseSpace = {
  /**
   * Whether at least so many bytes are there now, for new rows as well as for the log of the
   * writes. Asks the disk for more where they are not, after `flush` has ended the open
   * transaction.
   */
  readonly keep: (bytes: number, flush?: () => void) => boolean
  /**
   * After a write that the disk refused: whether the next write can use the log's space again.
   * False, without a change, after any other error.
   */
  readonly reuse: (error: unknown) => boolean
}

/** The log of the writes keeps this much. One transaction must fit into it. */
const LOG_BYTES = 2 * 1024 * 1024
/** New space lasts a while, so that it is asked for rarely. */
const MORE_BYTES = 2 * 1024 * 1024
/** The result code of SQLite for a full disk. */
const SQLITE_FULL = 13

/**
 * SQLite writes new rows to free pages of its file before the file grows, and the log from its
 * start once all of it is in the file. So a table of zeros that is written and dropped again leaves
 * space in both.
 *
 * A file system that writes every changed block to a new place (Btrfs, ZFS) needs space of its own
 * for each write, and this one does not help there.
 */
export function createDatabaseSpace(db: Database): DatabaseSpace {
  const pageBytes = readNumber(db, "page_size")
  let hasLog = false

  function grow(bytes: number): boolean {
    try {
      db.exec("drop table if exists kept_space; create table kept_space (zeros blob)")
      db.prepare("insert into kept_space values (zeroblob(?))").run(bytes)
      db.exec("drop table kept_space")
      return restartLog(db)
    } catch (error) {
      if (!isFull(error)) throw error
      return false
    }
  }

  return {
    keep: (bytes, flush) => {
      const free = readNumber(db, "freelist_count") * pageBytes
      if (free >= bytes && hasLog) return true
      flush?.()
      // The zeros use free pages first, so that these and the missing bytes are what the file must
      // have afterwards.
      hasLog = grow(Math.max(LOG_BYTES, bytes + (free < bytes ? MORE_BYTES : 0)))
      return hasLog && readNumber(db, "freelist_count") * pageBytes >= bytes
    },
    reuse: (error) => isFull(error) && restartLog(db),
  }
}

/**
 * Copies the log into the database file, so that the next write begins the log anew. Waits for no
 * reader. False while a reader, or a disk that is full, keeps a part of it out of the file.
 */
function restartLog(db: Database): boolean {
  try {
    const done = db.prepare("pragma wal_checkpoint(passive)").get()
    return done?.["busy"] === 0 && done["log"] === done["checkpointed"]
  } catch (error) {
    if (!isFull(error)) throw error
    return false
  }
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    (("errcode" in error && error.errcode === SQLITE_FULL) || isFull(error.cause))
  )
}

function readNumber(db: Database, pragma: string): number {
  return Number(db.prepare(`pragma ${pragma}`).get()?.[pragma])
}
