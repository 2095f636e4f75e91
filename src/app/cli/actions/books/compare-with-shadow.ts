import { parsePeriod } from "#books/period.ts"
import { shadowDir } from "#daemon/shadow/open-shadow.ts"
import { paperSinceMs } from "#daemon/shadow/paper-book.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { compareShadow, type ShadowLine } from "#daemon/study/compare-shadow.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { formatSecond } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openTreasury } from "../../open/find-treasury.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal, openJournalForReading } from "../../open/open-journal.ts"

/** Compares the daemon with its shadow over the part of the period that the shadow has seen. */
export async function compareWithShadow(context: CommandContext, written: string): Promise<number> {
  const nowMs = context.clock.now()
  const asked = parsePeriod(written, nowMs)
  const config = openConfigForReading(context)
  const dataDir = shadowDir(config.dataDir)
  const onPaper = openJournalForReading({ dataDir })
  const sinceMs = onPaper === null ? null : paperSinceMs(onPaper)
  const shadow = sinceMs === null ? null : (await openTreasury(context, dataDir)).config
  if (onPaper === null || sinceMs === null || shadow === null) throw withoutShadow(dataDir)
  const journal = openExistingJournal(config)
  const period = { ...asked, fromMs: Math.max(asked.fromMs, sinceMs) }
  const lines = compareShadow(
    { journal, config },
    { journal: onPaper, config: shadow },
    period,
    nowMs,
  )
  journal.close()
  onPaper.close()
  const from = new Date(period.fromMs).toISOString()
  if (context.json) context.print(plainJson({ from, ...lines }, 2))
  else {
    const rows = Object.entries(lines).map(([name, line]) => [name, ...cellsOf(line)])
    const head = ["", "orders", "volume (usd)", "cost (usd)", "time outside"]
    context.print(formatTable(head, rows, context.columns))
    context.print(
      `Since ${formatSecond(from)}. The shadow's orders are paid at once, at their quotes.`,
    )
  }
  return EXIT.ok
}

function cellsOf({ orders, volumeFiat, costFiat, outsideMs, knownMs }: ShadowLine): string[] {
  const share = knownMs === 0 ? "-" : `${((100 * outsideMs) / knownMs).toFixed(2)} %`
  const [volume, cost] = [volumeFiat, costFiat].map((fiat) => formatUnits(fiat, FIAT_DECIMALS))
  return [String(orders), volume ?? "", cost ?? "", share]
}

function withoutShadow(dataDir: string): AppError {
  return new AppError({
    code: "shadow.none",
    disposition: "refused",
    message: `No shadow has run in ${dataDir}; \`ballast run --shadow FILE\` starts one`,
    details: { dataDir },
  })
}
