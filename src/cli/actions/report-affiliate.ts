import { type AffiliateWeek, accrueAffiliate, type EarningOrder } from "#books/accrue-affiliate.ts"
import { parsePeriod } from "#books/period.ts"
import { decimalsOf } from "#daemon/decimals-of.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { formatUnits } from "#domain/amount.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrder } from "#order/step.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { openExistingJournal } from "../open-journal.ts"
import { formatTable } from "../table.ts"

/**
 * Reports the affiliate fees by week, asset and address; the service owes each sum at the end of its week. `written` is `null` for all time.
 */
export async function reportAffiliate(context: CommandContext, written: string | null): Promise<number> {
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const rows = journal.listOrders({ limit: MOST_ORDERS })
  journal.close()
  const decimals = decimalsOf(config)
  // The decimals of an asset that is not configured are unknown.
  const show = ({ asset, units }: AffiliateWeek): string | null => {
    const digits = decimals.get(asset)
    return digits === undefined ? null : formatUnits(units, digits)
  }
  const { fromMs, untilMs } = written === null ? EVER : parsePeriod(written, context.clock.now())
  const earned = rows
    .flatMap(({ snapshot }) => earnedBy(decodeOrder(snapshot).data))
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
const MOST_ORDERS = 1_000_000

/** An order earns its fee once our own node shows the redeem of the destination as final. Fees that the service recorded for others do not count. */
function earnedBy({ serviceOrder, policy, seen }: OrderData): EarningOrder[] {
  const redeemed = seen.destinationRedeemed
  const requested = policy.affiliateFees ?? []
  if (serviceOrder === null || redeemed?.final !== true || requested.length === 0) return []
  const isOurs = ({ asset, address }: { asset: string; address: string }): boolean =>
    requested.some((fee) => fee.asset === asset && fee.address.toLowerCase() === address.toLowerCase())
  return [{ redeemedAtMs: redeemed.at, records: serviceOrder.affiliateFees.filter(isOurs) }]
}

function formatWeeks(weeks: readonly AffiliateWeek[], show: (week: AffiliateWeek) => string | null): string {
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
