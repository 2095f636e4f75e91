import { gatherSteps } from "#journal/disk/gather-steps.ts"
import type { GroupLog } from "#journal/disk/replicate-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { EXIT } from "./exit-code.ts"

/** Opens the daemon's journal, with one commit for the steps of a few turns (ADR 24). */
export function openGrouped(
  file: string,
  log: Logger,
  afterCommit?: () => void,
  groupLog?: GroupLog,
): Journal {
  return openJournal(file, {
    ...(afterCommit ? { afterCommit } : {}),
    ...(groupLog ? { groupLog } : {}),
    group: {
      schedule: gatherSteps(setImmediate, systemClock),
      onFailure: (error) => log.error({ err: error }, "The journal could not be written"),
    },
    onDiskFailure: (cause) => {
      log.error({ err: diskFailed(cause) }, "The disk of the journal failed; this process ends")
      process.exit(EXIT.tryLater)
    },
  })
}

/** What is committed since the last sync may or may not be on disk. A new start reads what is. */
function diskFailed(cause: unknown): AppError {
  const message =
    "The disk did not confirm the journal's last steps; check the disk of data_dir before " +
    "you trust it again"
  return new AppError({ code: "journal.disk_failed", disposition: "transient", message, cause })
}
