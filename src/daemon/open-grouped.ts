import { gatherSteps } from "#journal/gather-steps.ts"
import type { Journal } from "#journal/port.ts"
import type { GroupLog } from "#journal/replicate-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"

/** Opens the daemon's journal, with one commit for the steps of a few turns (ADR 24). */
export function openGrouped(file: string, log: Logger, afterCommit?: () => void, groupLog?: GroupLog): Journal {
  return openJournal(file, {
    ...(afterCommit ? { afterCommit } : {}),
    ...(groupLog ? { groupLog } : {}),
    group: {
      schedule: gatherSteps(setImmediate, systemClock.now),
      onFailure: (error) => log.error({ err: error }, "The journal could not be written"),
    },
  })
}
