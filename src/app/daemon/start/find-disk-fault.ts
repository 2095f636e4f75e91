import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import type { Reason } from "#domain/reason.ts"
import type { AppError } from "#lib/app-error.ts"
import { describeFault, findEnvironmentFault } from "#lib/environment-fault.ts"
import { journalFile } from "./journal-file.ts"

/**
 * Why the journal of `dataDir` takes no write now: its last one was refused, or its disk is full or
 * read-only. `null` where it takes one.
 */
export function findDiskFault(dataDir: string, refusal: AppError | null = null): Reason | null {
  // SQLite hides the reason of an I/O error: the system is asked again, with the same file.
  const found = findEnvironmentFault(refusal, journalFile({ dataDir }))
  if (found !== null) return { code: found.code, message: found.message }
  if (refusal !== null) return { code: refusal.code, message: withCause(refusal) }
  if (!existsSync(dataDir)) return null
  try {
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const fault = findEnvironmentFault(error, dataDir)
    return fault === null ? null : { code: fault.code, message: fault.message }
  }
  const { bavail, files, ffree } = statfsSync(dataDir)
  if (bavail > 0 && (files === 0 || ffree > 0)) return null
  const { code, message } = describeFault("ENOSPC", dataDir)
  return { code, message }
}

/** With SQLite's own words. */
function withCause({ message, cause }: AppError): string {
  return cause instanceof Error ? message.replace(/(?=; )|$/, ` (${cause.message})`) : message
}
