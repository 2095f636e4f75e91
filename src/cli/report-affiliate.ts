import { type AffiliateWeek, accrueAffiliate, type EarningOrder } from "#books/accrue-affiliate.ts"
import { parsePeriod } from "#books/period.ts"
import { decimalsOf } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { PAYOUT_DECIMALS, symbolOf } from "#domain/affiliate-fee.ts"
import { formatUnits } from "#domain/amount.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrder } from "#order/step.ts"
import type { Invocation } from "./main.ts"
import { openConfigForReading } from "./open-config.ts"
import { openJournalForReading } from "./open-journal.ts"
import { formatTable } from "./table.ts"

/**
 * What affiliates have earned, by week, asset and address: what the service owes them at the end of each week. Of all time, or of a period.
 */
export function reportAffiliate(invocation: Invocation): number {
  const config = openConfigForReading(invocation)
  const journal = openJournalForReading(config)
  const rows = journal?.listOrders({ limit: MOST_ORDERS }) ?? []
  journal?.close()
  const decimals = decimalsOf(config)
  const show = ({ asset, units }: AffiliateWeek): string =>
    formatUnits(units, decimals.get(asset) ?? PAYOUT_DECIMALS[symbolOf(asset)] ?? 0)
  const { period } = invocation.options
  const { fromMs, untilMs } = period === undefined ? EVER : parsePeriod(String(period), invocation.clock.now())
  const earned = rows
    .flatMap(({ snapshot }) => earnedBy(decodeOrder(snapshot).data))
    .filter(({ redeemedAtMs }) => redeemedAtMs >= fromMs && redeemedAtMs < untilMs)
  const weeks = accrueAffiliate(earned)
  if (invocation.json) {
    const lines = weeks.map(({ units, ...week }) => ({
      ...week,
      amount: show({ units, ...week }),
      amountUnits: units.toString(),
    }))
    invocation.print(plainJson({ weeks: lines }, 2))
  } else if (weeks.length === 0) invocation.print("No order has earned an affiliate fee.")
  else invocation.print(formatWeeks(weeks, show))
  return EXIT.ok
}

const EVER = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }
const MOST_ORDERS = 1_000_000

/** Earned when the destination is redeemed, by our own node's word. What the service recorded for others is theirs to count. */
function earnedBy({ serviceOrder, policy, seen }: OrderData): EarningOrder[] {
  const redeemed = seen.destinationRedeemed
  const asked = policy.affiliateFees ?? []
  if (serviceOrder === null || redeemed?.final !== true || asked.length === 0) return []
  const isOurs = ({ asset, address }: { asset: string; address: string }): boolean =>
    asked.some((fee) => fee.asset === asset && fee.address.toLowerCase() === address.toLowerCase())
  return [{ redeemedAtMs: redeemed.at, records: serviceOrder.affiliateFees.filter(isOurs) }]
}

function formatWeeks(weeks: readonly AffiliateWeek[], show: (week: AffiliateWeek) => string): string {
  const rows = weeks.map((week) => [
    week.week,
    week.asset,
    show(week),
    week.address,
    String(week.orders),
    week.unknownOrders === 0 ? "" : `${week.unknownOrders} without an amount`,
  ])
  return formatTable(["week", "asset", "earned", "address", "orders", ""], rows)
}
