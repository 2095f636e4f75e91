import { join, resolve } from "node:path"
import { EXIT } from "#daemon/exit-code.ts"
import { journalFile } from "#daemon/journal-file.ts"
import { backUpJournal } from "#journal/back-up-journal.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"

/** Copies the journal and checks the copy; the daemon may run. `target` is `null` for a new file in the data directory. Throws `journal.*` (exit 1). */
export async function writeBackup(context: CommandContext, target: string | null): Promise<number> {
  const config = openConfigForReading(context)
  const stamp = new Date(context.clock.now()).toISOString().replace(/[-:]|\.\d+/g, "")
  const to = target ?? join(config.dataDir, "backups", `journal-${stamp}.db`)
  const backup = backUpJournal(journalFile(config), resolve(to))
  const { file, bytes, orders, events, schema } = backup
  const line = `${file}: ${bytes} bytes, ${orders} orders, ${events} events, schema ${schema}; checked`
  context.print(context.json ? plainJson(backup, 2) : line)
  return EXIT.ok
}
