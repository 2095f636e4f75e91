import { parsePeriod } from "#books/period.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readAffiliateReport } from "#daemon/study/read-report.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

/**
 * Reports the affiliate fees by week, asset and address; the service owes each sum at the end of
 * its week. `written` is `null` for all time.
 */
export async function reportAffiliate(
  context: CommandContext,
  written: string | null,
): Promise<number> {
  const period = written === null ? EVER : parsePeriod(written, context.clock.now())
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const { weeks } = readAffiliateReport({ journal, config }, period)
  journal.close()
  if (context.json) context.print(plainJson({ weeks }, 2))
  else if (weeks.length === 0) context.print("No order has earned an affiliate fee.")
  else context.print(formatWeeks(weeks))
  return EXIT.ok
}

const EVER = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }

function formatWeeks(weeks: AnswerOf<"AffiliateReport">["weeks"]): string {
  const rows = weeks.map(({ amount, amountUnits, orders, unknownOrders, ...week }) => [
    week.week,
    week.asset,
    amount ?? `${amountUnits} smallest units`,
    week.address,
    String(orders),
    unknownOrders === 0 ? "" : `${unknownOrders} without an amount`,
  ])
  return formatTable(["week", "asset", "earned", "address", "orders", ""], rows)
}
