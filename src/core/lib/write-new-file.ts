import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { findEnvironmentFault } from "./environment-fault.ts"

/**
 * Writes a file of mode 600, and never over another one. The file gets its name when all of it is
 * on disk: a later run would take a part of it for a complete one.
 *
 * Throws `system.*` (transient) for trouble of the machine, else the error of the operating system.
 */
export function writeNewFile(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  try {
    writeFileSync(part, text, { mode: 0o600, flag: "wx", flush: true })
    nameOnce(part, path)
  } catch (error) {
    throw findEnvironmentFault(error, path) ?? error
  } finally {
    rmSync(part, { force: true })
  }
}

/** A link is refused where the name is taken; a rename would replace that file. */
function nameOnce(part: string, path: string): void {
  try {
    linkSync(part, path)
  } catch (error) {
    // Some file systems have no links.
    if (existsSync(path) || !isWithoutLinks(error)) throw error
    renameSync(part, path)
  }
}

function isWithoutLinks(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code)
}
