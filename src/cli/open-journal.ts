import { existsSync } from "node:fs"
import type { Config } from "#config/config.ts"
import { journalFile } from "#daemon/journal-file.ts"
import type { Journal } from "#journal/port.ts"
import { openJournal } from "#journal/sqlite-journal.ts"

/** Opens the journal for reading; the daemon may run. `null` means that no journal exists yet. */
export function openJournalForReading(config: Config): Journal | null {
  const file = journalFile(config)
  return existsSync(file) ? openJournal(file) : null
}
