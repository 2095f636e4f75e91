import { existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { isLostLink, LOST_LINK, makeFolder } from "#lib/make-folder.ts"
import { findProvenDaemon } from "./runtime-file.ts"

/** Held until `release`, or until the process ends. */
export type InstanceLock = { readonly release: () => void }

/**
 * Allows one daemon per data directory, by an exclusive lock on a small database. The operating
 * system releases the lock when the process ends, so a SIGKILL leaves nothing to clean up, and no
 * time-out can give the lock to a second daemon.
 *
 * Throws `daemon.locked` (transient: the holder may just be draining) while another process holds
 * it, `system.*` (transient) for trouble of the machine, and `daemon.lock_file` (fatal) for a file
 * that cannot be used.
 */
export function lockInstance(dataDir: string): InstanceLock {
  const file = join(dataDir, "instance.lock")
  const db = openLock(dataDir, file)
  try {
    db.exec("pragma journal_mode = delete; begin exclusive")
  } catch (error) {
    db.close()
    throw isHeld(error) ? locked(dataDir, error) : unusable(file, error)
  }
  // The holder of a lock whose file was deleted holds it no more, and goes on.
  const running = findProvenDaemon(dataDir)
  if (running !== null) {
    db.close()
    throw locked(dataDir, `process ${running.pid} runs, and its lock was deleted`)
  }
  return { release: () => db.close() }
}

function openLock(dataDir: string, file: string): DatabaseSync {
  try {
    makeFolder(dataDir)
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw unusable(file, error)
  }
}

/** The result codes of SQLite for a lock that another connection has. */
const HELD = [5, 6]

function isHeld(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false
  return HELD.includes(Number(error.errcode) & 0xff)
}

function locked(dataDir: string, cause: unknown): AppError {
  return new AppError({
    code: "daemon.locked",
    disposition: "transient",
    message: `Another Ballast runs on ${dataDir}; stop it first, or give this one another data_dir`,
    details: { dataDir },
    cause,
  })
}

function unusable(file: string, error: unknown): AppError {
  const fault = findEnvironmentFault(error, file)
  if (fault !== null) return fault
  const folder = dirname(file)
  if (existsSync(folder) && !statSync(folder).isDirectory())
    return new AppError({
      code: "daemon.lock_file",
      disposition: "fatal",
      message: `data_dir ${folder} is a file, not a folder; name a folder, or move the file away`,
      details: { file },
      cause: error,
    })
  if (isLostLink(folder))
    return new AppError({
      code: "daemon.lock_file",
      disposition: "fatal",
      message: `data_dir ${folder} ${LOST_LINK}`,
      details: { file },
      cause: error,
    })
  const why = error instanceof Error ? error.message : String(error)
  return new AppError({
    code: "daemon.lock_file",
    disposition: "fatal",
    message:
      `The lock ${file} cannot be used (${why}); check data_dir and its permissions, ` +
      "and remove the file if no Ballast runs there",
    details: { file },
    cause: error,
  })
}
