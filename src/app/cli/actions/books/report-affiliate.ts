import { type AffiliateWeek, accrueAffiliate } from "#books/accrue-affiliate.ts"
import { parsePeriod } from "#books/period.ts"
import { decimalsOf } from "#daemon/start/decimals-of.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readSwaps } from "#daemon/views/read-swaps.ts"
import { formatUnits } from "#domain/amount.ts"
import { plainJson } from "#lib/json.ts"
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
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  // Newest first: of an address that orders spell in several ways, the last one is shown.
  const swaps = [...readSwaps(journal, config, ALL)].toReversed()
  journal.close()
  const decimals = decimalsOf(config)
  // The decimals of an asset that is not configured are unknown.
  const show = ({ asset, units }: AffiliateWeek): string | null => {
    const digits = decimals.get(asset)
    return digits === undefined ? null : formatUnits(units, digits)
  }
  const { fromMs, untilMs } = written === null ? EVER : parsePeriod(written, context.clock.now())
  const earned = swaps
    .flatMap(({ redeemedAtMs, earned: records }) =>
      redeemedAtMs === null || records.length === 0 ? [] : [{ redeemedAtMs, records }],
    )
    .filter(({ redeemedAtMs }) => redeemedAtMs >= fromMs && redeemedAtMs < untilMs)
  const weeks = accrueAffiliate(earned)
  if (context.json) {
    const lines = weeks.map(({ units, ...week }) => ({
      ...week,
      amount: show({ units, ...week }),
      amountUnits: units.toString(),
    }))
    context.print(plainJson({ weeks: lines }, 2))
  } else if (weeks.length === 0) context.print("No order has earned an affiliate fee.")
  else context.print(formatWeeks(weeks, show))
  return EXIT.ok
}

const EVER = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }
/** An order may earn its fee long after its request, so the time of the request chooses none. */
const ALL = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }

function formatWeeks(
  weeks: readonly AffiliateWeek[],
  show: (week: AffiliateWeek) => string | null,
): string {
  const rows = weeks.map((week) => [
    week.week,
    week.asset,
    show(week) ?? `${week.units} smallest units`,
    week.address,
    String(week.orders),
    week.unknownOrders === 0 ? "" : `${week.unknownOrders} without an amount`,
  ])
  return formatTable(["week", "asset", "earned", "address", "orders", ""], rows)
}
