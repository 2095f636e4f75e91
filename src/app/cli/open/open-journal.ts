import { existsSync } from "node:fs"
import { journalFile } from "#daemon/start/journal-file.ts"
import { judgeFile } from "#journal/schema-version.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { isLostLink, LOST_LINK } from "#lib/make-folder.ts"
import type { Journal } from "#ports/journal.ts"

type Home = { readonly dataDir: string }

/** Opens the journal for reading; the daemon may run. `null` means that no journal exists yet. */
export function openJournalForReading(home: Home): Journal | null {
  const file = journalFile(home)
  return existsSync(file) ? openJournal(file) : null
}

/**
 * Throws `journal.version` or `journal.future_schema` (fatal). A file that cannot be read is
 * another finding.
 */
export function refuseOtherVersion(home: Home): void {
  try {
    judgeFile(journalFile(home))
  } catch (error) {
    if (error instanceof AppError) throw error
  }
}

/**
 * Opens the journal for a command that shows its content. Without a journal an empty answer would
 * be wrong: the command may look at another directory than the daemon. Throws `journal.missing`
 * (refused, exit 1).
 */
export function openExistingJournal(home: Home): Journal {
  const journal = openJournalForReading(home)
  if (journal !== null) return journal
  if (isLostLink(home.dataDir))
    throw new AppError({
      code: "journal.missing",
      disposition: "refused",
      message: `There is no journal: data_dir ${home.dataDir} ${LOST_LINK}`,
      details: { dataDir: home.dataDir },
    })
  throw new AppError({
    code: "journal.missing",
    disposition: "refused",
    message:
      `There is no journal in ${home.dataDir}. The first \`ballast run\` creates it; if the ` +
      "daemon has run, this configuration has another data_dir, or the folder was moved: put it " +
      "back, and restart the daemon, which goes on with the moved files",
    details: { dataDir: home.dataDir },
  })
}
