import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import type { Reason } from "#domain/reason.ts"
import { describeFault, findEnvironmentFault } from "#lib/environment-fault.ts"

/** A disk of `dataDir` that is full or read-only now; `null` for one that takes a write. */
export function findDiskFault(dataDir: string): Reason | null {
  if (!existsSync(dataDir)) return null
  try {
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const fault = findEnvironmentFault(error, dataDir)
    return fault === null ? null : { code: fault.code, message: fault.message }
  }
  if (statfsSync(dataDir).bavail > 0) return null
  const { code, message } = describeFault("ENOSPC", dataDir)
  return { code, message }
}
