import { exitCodeOf } from "#daemon/start/exit-code.ts"
import { writeLastExit } from "#daemon/start/last-exit.ts"
import { readRuntimeFile } from "#daemon/start/runtime-file.ts"
import type { AppError } from "#lib/app-error.ts"
import type { CommandContext } from "../define-command.ts"
import { findTreasury } from "./find-treasury.ts"

/**
 * Keeps the error that ended `ballast run` in its data directory, also where the configuration has
 * mistakes. A daemon that runs there has nothing to do with it.
 */
export function keepLastExit(context: CommandContext, error: AppError): void {
  const dataDir = findDataDir(context)
  if (dataDir === null || readRuntimeFile(dataDir) !== null) return
  const { code, message } = error
  writeLastExit(dataDir, {
    atMs: context.clock.now(),
    exit: exitCodeOf(error, true),
    code,
    message,
  })
}

function findDataDir(context: CommandContext): string | null {
  try {
    return findTreasury(context, null).dataDir
  } catch {
    // Without a readable configuration there is no place for it.
    return null
  }
}
