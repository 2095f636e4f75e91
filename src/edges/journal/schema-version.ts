import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { AppError } from "#lib/app-error.ts"
import { initial } from "./migrations/0001-initial.ts"
import { samples } from "./migrations/0002-samples.ts"

/** Forward only; a released migration is never edited. */
const MIGRATIONS: readonly string[] = [initial, samples]

/** The last schema of 0.4. A journal of this schema or an older one is refused. */
const LAST_REFUSED = 19

export const SCHEMA_VERSION = LAST_REFUSED + MIGRATIONS.length

/** The migrations that a journal of this schema lacks; 0: a new file. */
export function migrationsAfter(version: number): readonly string[] {
  return MIGRATIONS.slice(Math.max(0, version - LAST_REFUSED))
}

/**
 * Throws `journal.version` (fatal) for a journal of 0.4 or older, and `journal.future_schema`
 * (fatal) for one that a newer Ballast wrote. `where`: its file, or the log that has it.
 */
export function judgeSchema(version: number, where: string): void {
  refuseOldSchema(version, where)
  if (version <= SCHEMA_VERSION) return
  throw new AppError({
    code: "journal.future_schema",
    disposition: "fatal",
    message:
      `The journal has schema ${version}, written by a newer Ballast; this one knows up to ` +
      `${SCHEMA_VERSION}`,
    details: { where, version, supported: SCHEMA_VERSION },
  })
}

/** Throws `journal.version` (fatal) for a journal of 0.4 or older. */
export function refuseOldSchema(version: number, where: string): void {
  if (version <= 0 || version > LAST_REFUSED) return
  const steps = "Finish or refund open orders with 0.4, then start this version with a new journal"
  throw new AppError({
    code: "journal.version",
    disposition: "fatal",
    message:
      `The journal in ${where} is of Ballast 0.4 or older (schema ${version}), and nothing in ` +
      `it was changed. ${steps} (docs/RUN.md, Upgrade)`,
    details: { where, version, supported: SCHEMA_VERSION },
  })
}

/**
 * Judges the schema of a journal's file before SQLite opens it: to open a database with a log
 * beside it already writes to the log's index, and to close it moves the log into the file.
 */
export function judgeFile(file: string, judge = judgeSchema): void {
  if (file === ":memory:" || !existsSync(file)) return
  refusePipe(file)
  refuseEmpty(file)
  refuseForeign(file)
  judge(readSchemaVersion(file), file)
}

/** The first read of a pipe would wait for its writer, and stop the process. */
function refusePipe(file: string): void {
  const stats = statSync(file)
  if (stats.isFile() || stats.isDirectory()) return
  throw new AppError({
    code: "journal.open",
    disposition: "fatal",
    message:
      `The journal ${file} is no file, but a pipe, a socket or a device: move it away, and put ` +
      "the newest backup in its place",
    details: { file },
  })
}

/** Ballast would add its tables to those of another program. */
function refuseForeign(file: string): void {
  const header = readHeader(file)
  if (header === null || header.readUInt32BE(USER_VERSION_AT) !== 0) return
  if (header.readUInt32BE(SCHEMA_COOKIE_AT) === 0) return
  throw new AppError({
    code: "journal.open",
    disposition: "fatal",
    message:
      `${file} is a database of another program, and nothing in it was changed; move it away, ` +
      "and put the newest backup in its place, or name another data_dir",
    details: { file },
  })
}

/** SQLite would take it for a new journal, and open orders would be forgotten. */
function refuseEmpty(file: string): void {
  const log = `${file}-wal`
  const hasLog = existsSync(log) && statSync(log).size > 0
  if (hasLog || !statSync(file).isFile() || statSync(file).size > 0) return
  throw new AppError({
    code: "journal.damaged_file",
    disposition: "fatal",
    message:
      `The journal ${file} is empty (0 bytes); put the newest backup in its place, and run ` +
      "`ballast recover`. Only if no daemon has ever run here, remove it",
    details: { file, found: "0 bytes" },
  })
}

/** Offsets in the first page of a database: www.sqlite.org/fileformat.html#the_database_header. */
const USER_VERSION_AT = 60
/** 0 in a database without any table. */
const SCHEMA_COOKIE_AT = 40
const MAGIC = "SQLite format 3\0"
/** www.sqlite.org/fileformat.html#the_write_ahead_log: each frame is a header and one page. */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/**
 * `pragma user_version` as the last commit left it; 0 for a new file and for one that is no
 * database. The first page is in the log (`-wal`) until a checkpoint.
 */
function readSchemaVersion(file: string): number {
  return readHeader(file)?.readUInt32BE(USER_VERSION_AT) ?? 0
}

function readHeader(file: string): Buffer | null {
  const header = readAt(file, (read) => read(0, 100))
  if (header?.subarray(0, MAGIC.length).toString("latin1") !== MAGIC) return null
  const log = `${file}-wal`
  const inLog = existsSync(log) ? readAt(log, findFirstPage) : null
  return inLog ?? header
}

type Read = (at: number, length: number) => Buffer | null

/** The header of the database in the log's last commit with the first page; `null` without one. */
function findFirstPage(read: Read): Buffer | null {
  const header = read(0, LOG_HEADER)
  if (header === null) return null
  const pageSize = header.readUInt32BE(8)
  const salts = header.subarray(16, 24)
  let found: Buffer | null = null
  let uncommitted: Buffer | null = null
  for (let at = LOG_HEADER; ; at += FRAME_HEADER + pageSize) {
    const frame = read(at, FRAME_HEADER)
    // Frames of an earlier round of the log have other salts.
    if (frame === null || !frame.subarray(8, 16).equals(salts)) return found
    if (frame.readUInt32BE(0) === 1) uncommitted = read(at + FRAME_HEADER, 100)
    if (frame.readUInt32BE(4) === 0) continue
    found = uncommitted ?? found
    uncommitted = null
  }
}

function readAt<Result>(file: string, use: (read: Read) => Result): Result {
  const handle = openSync(file, "r")
  try {
    return use((at, length) => {
      const bytes = Buffer.alloc(length)
      return readSync(handle, bytes, 0, length, at) === length ? bytes : null
    })
  } finally {
    closeSync(handle)
  }
}
