import { formatCsv } from "#books/format-csv.ts"
import { formatLedger } from "#books/format-ledger.ts"
import type { Period } from "#books/period.ts"
import { SWAP_COLUMNS, toSwapRow } from "#books/swap-row.ts"
import { listTaxed, TAX_FORMS, type TaxFormName } from "#books/tax-forms.ts"
import type { Config } from "#config/config.ts"
import { plainJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"
import { decimalsForBooks, readSwaps } from "../views/read-swaps.ts"

export type ExportFormat = "csv" | "json" | "ledger" | TaxFormName

/** The swaps of a period, also as a tax tool wants them, or the ledger as plain-text accounting. */
export function exportSwaps(
  journal: Journal,
  config: Config,
  period: Period,
  format: ExportFormat,
): string {
  const decimals = decimalsForBooks(config)
  if (format === "ledger") return formatLedger(journal.listEntries(period), decimals)
  // Accounting has no use for an order that moved no money.
  const rows = [...readSwaps(journal, config, period)]
    .filter(({ isBooked }) => isBooked)
    .map((swap) => toSwapRow(swap, decimals))
  if (format === "csv") return formatCsv(SWAP_COLUMNS, rows)
  if (format !== "json") {
    const { columns, toLine } = TAX_FORMS[format]
    return formatCsv(columns, rows.flatMap(listTaxed).map(toLine))
  }
  return `${plainJson({ swaps: rows }, 2)}\n`
}
