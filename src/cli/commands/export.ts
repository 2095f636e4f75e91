import { writeFileSync } from "node:fs"
import { formatCsv } from "#books/format-csv.ts"
import { formatLedger } from "#books/format-ledger.ts"
import { type Period, parseFrom, parseUntil } from "#books/period.ts"
import { SWAP_COLUMNS, toSwapRow } from "#books/swap-row.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import type { Journal } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { openJournalForReading } from "../open-journal.ts"
import { decimalsForBooks, readSwaps } from "../read-swaps.ts"

/** Swaps for a tax tool (`csv`, `json`), or the whole ledger as plain-text accounting (`ledger`). With or without a running daemon. */
export async function exportCommand(invocation: Invocation): Promise<number> {
  const { format = invocation.json ? "json" : "csv", from = "", to = "", output } = invocation.options
  const period = { fromMs: parseFrom(String(from)), untilMs: parseUntil(String(to)) }
  const config = openConfigForReading(invocation)
  const journal = openJournalForReading(config)
  const text = formatExport(String(format), journal, config, period)
  journal?.close()
  if (output === undefined) invocation.print(text.replace(/\r?\n$/, ""))
  else writeOutput(String(output), text)
  return EXIT.ok
}

function formatExport(format: string, journal: Journal | null, config: Config, period: Period): string {
  const decimalsOf = decimalsForBooks(config)
  if (format === "ledger") return formatLedger(journal?.listEntries(period) ?? [], decimalsOf)
  // An order that moved nothing is nothing to an accountant.
  const rows = readSwaps(journal, config, period)
    .filter(({ isBooked }) => isBooked)
    .map((swap) => toSwapRow(swap, decimalsOf))
  if (format === "csv") return formatCsv(SWAP_COLUMNS, rows)
  if (format === "json") return `${plainJson({ swaps: rows }, 2)}\n`
  throw new AppError({ code: "cli.usage", disposition: "refused", message: "--format is csv, json or ledger" })
}

/** For its owner's eyes: it lists what the treasury has and does. */
function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (cause) {
    throw new AppError({
      code: "cli.output",
      disposition: "refused",
      message: `${file} cannot be written; give another --output`,
      details: { file },
      cause,
    })
  }
}
