import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { makeFolder } from "#lib/make-folder.ts"

/** Held until `release`, or until the process ends. */
export type InstanceLock = { readonly release: () => void }

/**
 * Allows one daemon per data directory, by an exclusive lock on a small database. The operating system releases the lock when the process
 * ends, so a SIGKILL leaves nothing to clean up, and no time-out can give the lock to a second daemon.
 *
 * Throws `daemon.locked` (transient: the holder may just be draining) while another process holds it.
 */
export function lockInstance(dataDir: string): InstanceLock {
  makeFolder(dataDir)
  const db = new DatabaseSync(join(dataDir, "instance.lock"), { timeout: 0 })
  try {
    db.exec("pragma journal_mode = delete; begin exclusive")
  } catch (error) {
    db.close()
    throw new AppError({
      code: "daemon.locked",
      disposition: "transient",
      message: `Another Ballast runs on ${dataDir}; stop it first, or give this one another data_dir`,
      details: { dataDir },
      cause: error,
    })
  }
  return { release: () => db.close() }
}
