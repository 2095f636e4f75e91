import { join, resolve } from "node:path"
import { EXIT } from "#daemon/exit-code.ts"
import { journalFile } from "#daemon/journal-file.ts"
import { backUpJournal } from "#journal/back-up-journal.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"

/** Copies the journal, whether or not the daemon runs, and checks the copy. Throws `journal.*` (exit 1). */
export async function backupCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const stamp = new Date(invocation.clock.now()).toISOString().replace(/[-:]|\.\d+/g, "")
  const asked = invocation.options["to"]
  const to = typeof asked === "string" ? asked : join(config.dataDir, "backups", `journal-${stamp}.db`)
  const backup = backUpJournal(journalFile(config), resolve(to))
  const { file, bytes, orders, events, schema } = backup
  const line = `${file}: ${bytes} bytes, ${orders} orders, ${events} events, schema ${schema}; checked`
  invocation.print(invocation.json ? plainJson(backup, 2) : line)
  return EXIT.ok
}
