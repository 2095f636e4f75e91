import type { AppError } from "#lib/app-error.ts"

/** Exit codes for supervisors and scripts (docs/OPERATIONS.md, after sysexits.h). */
export const EXIT = { ok: 0, refused: 1, usage: 64, bug: 70, tryLater: 75, config: 78 } as const

export function exitCodeOf(error: AppError): number {
  switch (error.disposition) {
    case "fatal":
      return EXIT.config
    case "bug":
      return EXIT.bug
    case "transient":
    case "uncertain":
    case "aborted":
      return EXIT.tryLater
    case "refused":
    case "hold":
      return EXIT.refused
  }
}
