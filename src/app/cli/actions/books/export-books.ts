import { writeFileSync } from "node:fs"
import { parseSpan } from "#books/period.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { type ExportFormat, exportSwaps } from "#daemon/study/export-swaps.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

type ExportChoices = {
  readonly format: ExportFormat | null
  readonly from: string | null
  readonly to: string | null
  readonly output: string | null
}

/**
 * Writes the swaps for a tax tool (`csv`, `json`), or the whole ledger as plain-text accounting
 * (`ledger`). The daemon need not run.
 */
export async function exportBooks(
  context: CommandContext,
  { format, from, to, output }: ExportChoices,
): Promise<number> {
  const period = parseSpan(from ?? "", to ?? "")
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const text = exportSwaps(journal, config, period, format ?? (context.json ? "json" : "csv"))
  journal.close()
  if (output === null) context.print(text.replace(/\r?\n$/, ""))
  else writeOutput(output, text)
  return EXIT.ok
}

/**
 * Only the owner may read the file, because it lists the holdings and transfers of the treasury.
 */
function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (cause) {
    const fault = findEnvironmentFault(cause, file)
    if (fault !== null) throw fault
    throw new AppError({
      code: "cli.output",
      disposition: "refused",
      message: `${file} cannot be written; give another --output`,
      details: { file },
      cause,
    })
  }
}
