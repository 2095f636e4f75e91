import { rmSync, writeFileSync } from "node:fs"
import { findEnvironmentFault } from "./environment-fault.ts"

/**
 * Writes a file of mode 600, and never over another one. A write that fails leaves no part of the
 * file: a later run would take it for a complete one.
 *
 * Throws `system.*` (transient) for trouble of the machine, else the error of the operating system.
 */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx", flush: true })
  } catch (error) {
    if (!isTaken(error)) rmSync(path, { force: true })
    throw findEnvironmentFault(error, path) ?? error
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST"
}
