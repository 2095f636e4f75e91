import { existsSync } from "node:fs"
import type { Config } from "#config/config.ts"
import { journalFile } from "#daemon/journal-file.ts"
import type { Journal } from "#journal/port.ts"
import { openJournal } from "#journal/sqlite-journal.ts"

/** The journal for reading, whether or not the daemon runs; `null` when nothing was ever written. */
export function openJournalForReading(config: Config): Journal | null {
  const file = journalFile(config)
  return existsSync(file) ? openJournal(file) : null
}
