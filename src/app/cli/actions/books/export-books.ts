import { writeFileSync } from "node:fs"
import { formatCsv } from "#books/format-csv.ts"
import { formatLedger } from "#books/format-ledger.ts"
import { type Period, parseSpan } from "#books/period.ts"
import { SWAP_COLUMNS, toSwapRow } from "#books/swap-row.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { decimalsForBooks, readSwaps } from "#daemon/views/read-swaps.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { plainJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

type Format = "csv" | "json" | "ledger"
type ExportChoices = {
  readonly format: Format | null
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
  const text = formatExport(format ?? (context.json ? "json" : "csv"), journal, config, period)
  journal.close()
  if (output === null) context.print(text.replace(/\r?\n$/, ""))
  else writeOutput(output, text)
  return EXIT.ok
}

function formatExport(format: Format, journal: Journal, config: Config, period: Period): string {
  const decimalsOf = decimalsForBooks(config)
  if (format === "ledger") return formatLedger(journal.listEntries(period), decimalsOf)
  // Accounting has no use for an order that moved no money.
  const rows = [...readSwaps(journal, config, period)]
    .filter(({ isBooked }) => isBooked)
    .map((swap) => toSwapRow(swap, decimalsOf))
  if (format === "csv") return formatCsv(SWAP_COLUMNS, rows)
  return `${plainJson({ swaps: rows }, 2)}\n`
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
