import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, resolve, sep } from "node:path"
import { AppError } from "./app-error.ts"

/**
 * The passing trouble of the machine behind an error of the operating system or of SQLite, also
 * when it is only the cause of another error: a full, read-only or failing disk, and too few
 * descriptors or too little memory. The answer is `system.*` (transient, exit 75), so that a
 * supervisor tries again. `null` for every other error: a missing file or a refused permission
 * is a mistake of the configuration, which no restart corrects.
 *
 * `path` is the file or folder that was used. It decides where an error of SQLite names no cause.
 */
export function findEnvironmentFault(error: unknown, path: string | null = null): AppError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < MOST_CAUSES; at = at.cause) {
    depth++
    if (at instanceof AppError && at.code.startsWith("system.")) return at
    const place = path ?? placeOf(at)
    const found = judgeSystem(at) ?? judgeSqlite(at, place)
    if (found !== null) return describe(found, place, error)
  }
  return null
}

/** Throws the fault behind `error`, or `error` itself. */
export function throwFault(error: unknown, path: string): never {
  throw findEnvironmentFault(error, path) ?? error
}

const MOST_CAUSES = 8

type Kind = { readonly code: string; readonly what: string; readonly todo: string }
/** `mark` is the name that the system gives the fault. */
type Fault = Kind & { readonly mark: string }

/** Stands in a text for the disk of the path. */
const DISK = "DISK"

const FULL = {
  code: "system.disk_full",
  what: "no space is left on DISK",
  todo: "free some space there",
} as const
const NO_INODES = {
  ...FULL,
  what: "no file can be made on DISK: all its inodes are in use",
  todo: "delete files there; `df -i` shows when some are free",
} as const
const QUOTA = { ...FULL, what: "this user's quota is used up on DISK" } as const
const READ_ONLY = {
  code: "system.disk_read_only",
  what: "DISK is read-only",
  todo: "mount it writable (the kernel's messages say why it is not)",
} as const
const FAILED = {
  code: "system.disk_failed",
  what: "DISK reports an error",
  todo: "check the disk (kernel messages, SMART)",
} as const
const FILE_SIZE = {
  code: "system.exhausted",
  what: "this process may write no larger file",
  todo: "raise the limit of the size of files (`ulimit -f`, systemd: LimitFSIZE)",
} as const
const DESCRIPTORS = {
  code: "system.exhausted",
  what: "this process has too many open files",
  todo: "raise `ulimit -n` (systemd: LimitNOFILE)",
} as const
const MACHINE_FILES = {
  code: "system.exhausted",
  what: "this machine has too many open files",
  todo: "raise `fs.file-max`, or end other programs",
} as const
const MEMORY = {
  code: "system.exhausted",
  what: "this machine has no memory left for it",
  todo: "free some memory, or raise the limit of this service",
} as const
const PROCESSES = {
  code: "system.exhausted",
  what: "this machine has no resources left for it",
  todo: "raise the limit of processes (`ulimit -u`, systemd: TasksMax), or end other programs",
} as const
const BUSY = {
  code: "system.busy",
  what: "another process holds the lock of the file",
  todo: "let that process end",
} as const

const BY_ERRNO: Readonly<Record<string, Kind>> = {
  ENOSPC: FULL,
  EDQUOT: QUOTA,
  EROFS: READ_ONLY,
  EIO: FAILED,
  ESTALE: FAILED,
  EFBIG: FILE_SIZE,
  EMFILE: DESCRIPTORS,
  ENFILE: MACHINE_FILES,
  ENOMEM: MEMORY,
  ENOBUFS: MEMORY,
  EAGAIN: PROCESSES,
}

/** The fault of an errno that no call has given, such as a disk found full. */
export function describeFault(errno: "ENOSPC", path: string): AppError {
  return describe({ ...FULL, mark: errno }, path, undefined)
}

function judgeSystem(error: Error): Fault | null {
  const { code, syscall } = fieldsOf(error)
  // An errno as the code of another library's error says nothing about this machine.
  if (typeof code !== "string" || typeof syscall !== "string") return null
  const found = BY_ERRNO[code]
  return found === undefined ? null : { ...found, mark: code }
}

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const SQLITE = { busy: 5, locked: 6, noMemory: 7, readOnly: 8, io: 10, full: 13, cantOpen: 14 }
const SQLITE_PROTOCOL = 15
const SQLITE_IOERR_NOMEM = 3082

/**
 * SQLite says that the disk is full. For the rest it hides the errno: a full disk is an I/O error
 * when the log's index cannot grow, and a read-only disk is "unable to open" or "readonly", as a
 * refused permission is. There the operating system is asked again, with the same file.
 */
function judgeSqlite(error: Error, path: string | null): Fault | null {
  const { code, errcode } = fieldsOf(error)
  if (code !== "ERR_SQLITE_ERROR" || typeof errcode !== "number") return null
  const primary = errcode & 0xff
  if (primary === SQLITE.full) return { ...FULL, mark: "SQLITE_FULL" }
  if (primary === SQLITE.noMemory || errcode === SQLITE_IOERR_NOMEM)
    return { ...MEMORY, mark: "SQLITE_NOMEM" }
  if ([SQLITE.busy, SQLITE.locked, SQLITE_PROTOCOL].includes(primary))
    return { ...BUSY, mark: "SQLITE_BUSY" }
  if (![SQLITE.readOnly, SQLITE.io, SQLITE.cantOpen].includes(primary)) return null
  const refusal = path === null ? null : tryToWrite(path)
  if (refusal !== null) return judgeSystem(refusal)
  return primary === SQLITE.io ? { ...FAILED, mark: `SQLITE_IOERR ${errcode}` } : null
}

/** More than the first pages of a database, its log and the log's index: sixteen pages. */
const TRIED_PAGES = Array.from({ length: 16 }, () => Buffer.alloc(4_096))

/** SQLite has a database open with its log, the log's index and the folder. */
const TRIED_FILES = 8

/** Opens the file and fills another one beside it, which it removes. The error of the system. */
function tryToWrite(path: string): Error | null {
  const scratch = `${path}.${process.pid}.try`
  const opened: number[] = []
  try {
    if (existsSync(path)) closeSync(openSync(path, "r+"))
    const written = openSync(scratch, "wx", 0o600)
    opened.push(written)
    for (const page of TRIED_PAGES) writeSync(written, page)
    fsyncSync(written)
    while (opened.length < TRIED_FILES) opened.push(openSync(scratch, "r"))
    return null
  } catch (error) {
    return error instanceof Error ? error : null
  } finally {
    for (const file of opened) closeSync(file)
    removeQuietly(scratch)
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // On a read-only disk there is nothing to remove.
  }
}

function describe(fault: Fault, path: string | null, cause: unknown): AppError {
  const { code, mark } = fault
  const disk = path?.includes(sep) && fault.what.includes(DISK) ? mountOf(path) : null
  const { what, todo } = mark === "ENOSPC" && disk !== null && lacksInodes(disk) ? NO_INODES : fault
  const named = disk === null ? "its disk" : `the disk mounted at ${disk}`
  const said = what.replace(DISK, () => named)
  return new AppError({
    code,
    disposition: "transient",
    message: `${path ?? "the system"}: ${said} (${mark}); ${todo}. ${AGAIN}`,
    details: { path, disk, fault: mark },
    cause,
  })
}

const AGAIN = "Then try again; a supervisor does so by itself"

/** Free space helps no new file then. Disks without inodes say that they have none at all. */
function lacksInodes(disk: string): boolean {
  try {
    const { files, ffree } = statfsSync(disk)
    return files > 0 && ffree === 0
  } catch {
    return false
  }
}

/** The folder at which the disk of a path is mounted; `null` where the system does not say it. */
function mountOf(path: string): string | null {
  try {
    let folder = resolve(path)
    while (!existsSync(folder)) {
      const above = dirname(folder)
      if (above === folder) return null
      folder = above
    }
    const { dev } = statSync(folder)
    for (;;) {
      const above = dirname(folder)
      if (above === folder || statSync(above).dev !== dev) return folder
      folder = above
    }
  } catch {
    return null
  }
}

type Fields = {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly errcode?: unknown
  readonly path?: unknown
  readonly address?: unknown
  readonly port?: unknown
}

function fieldsOf(error: Error): Fields {
  // CAST: Node documents these fields of its errors; each is checked where it is used.
  return error as Fields
}

/** The file, folder or address in an error's own fields. */
function placeOf(error: Error): string | null {
  const { path, address, port } = fieldsOf(error)
  if (typeof path === "string") return path
  if (typeof address !== "string") return null
  return typeof port === "number" ? `${address}:${port}` : address
}
