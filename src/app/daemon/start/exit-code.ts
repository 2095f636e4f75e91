import type { AppError } from "#lib/app-error.ts"

/** Exit codes for supervisors and scripts (docs/RUN.md, after sysexits.h). */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 64,
  bug: 70,
  tryLater: 75,
  uncertain: 76,
  config: 78,
} as const

/**
 * A service never ends with 76, because its next start looks at the cause: its supervisor starts
 * it again, and must not repeat a command that ended with 76.
 */
export function exitCodeOf(error: AppError, isService = false): number {
  switch (error.disposition) {
    case "fatal":
      return EXIT.config
    case "bug":
      return EXIT.bug
    case "uncertain":
      return isService ? EXIT.tryLater : EXIT.uncertain
    case "transient":
    case "aborted":
      return EXIT.tryLater
    case "refused":
    case "hold":
      return EXIT.refused
  }
}
