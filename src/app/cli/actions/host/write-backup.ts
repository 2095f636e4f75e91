import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { EXIT } from "#daemon/start/exit-code.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { formatBytes } from "#health/find-problems.ts"
import { backUpJournal } from "#journal/disk/back-up-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"

/**
 * Copies the journal and checks the copy; the daemon may run. `target` is `null` for a new file in
 * the data directory. Throws `journal.*` (exit 1).
 */
export async function writeBackup(context: CommandContext, target: string | null): Promise<number> {
  const config = openConfigForReading(context)
  const stamp = new Date(context.clock.now()).toISOString().replace(/[-:]|\.\d+/g, "")
  const to = target ?? join(config.dataDir, "backups", `journal-${stamp}.db`)
  if (target !== null) checkFolder(dirname(resolve(target)))
  context.progress(`Copying and checking the journal (${sizeOf(journalFile(config))}) …`)
  const backup = backUpJournal(journalFile(config), resolve(to))
  context.progress(null)
  const { file, bytes, orders, events, schema } = backup
  const line =
    `${file}: ${formatBytes(bytes)}, ${orders} orders, ${events} events, schema ${schema}; ` +
    "checked"
  context.print(context.json ? plainJson(backup, 2) : line)
  return EXIT.ok
}

/**
 * A backup makes no folder: the folder of a disk that is not mounted would otherwise take the
 * copies to the wrong disk.
 */
function checkFolder(folder: string): void {
  if (existsSync(folder)) return
  const message = `There is no folder ${folder}: mount its disk, or make the folder first`
  throw new AppError({
    code: "journal.backup_folder",
    disposition: "refused",
    message,
    details: { folder },
  })
}

function sizeOf(file: string): string {
  return existsSync(file) ? formatBytes(statSync(file).size) : "none yet"
}
