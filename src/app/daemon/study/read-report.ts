import { type AffiliateWeek, accrueAffiliate } from "#books/accrue-affiliate.ts"
import { sumOutOfBand } from "#books/out-of-band.ts"
import type { Period } from "#books/period.ts"
import type { Swap } from "#books/read-swap.ts"
import { makeReport, type ReportLine } from "#books/report.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrdersFilter } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { decimalsForBooks, readSwaps } from "../views/read-swaps.ts"
import { quotersIn, viewServices } from "../views/view-services.ts"
import { readObservations } from "./read-observations.ts"

export type ReportView = AnswerOf<"Report">
export type Grouping = ReportView["by"]
type Sources = { readonly journal: Journal; readonly config: Config; readonly nowMs: number }

const GROUPS: Readonly<Record<Grouping, (swap: Swap) => string>> = {
  rule: ({ rule }) => rule,
  pair: ({ sent, received }) => `${sent.asset} → ${received.asset}`,
  period: ({ askedAtMs }) => new Date(askedAtMs).toISOString().slice(0, 10),
  kind: ({ kind }) => kind ?? "(no quote)",
  service: ({ service }) => service ?? "(no quote)",
  solver: ({ service, solver }) =>
    service === null ? "(no quote)" : `${service}/${solver ?? "(no id)"}`,
}

/** Volume, costs, rates and times of the orders that were requested in a period. */
export function readReport(
  { journal, config, nowMs }: Sources,
  period: Period,
  by: Grouping,
  filter: OrdersFilter = {},
): ReportView {
  const decimals = decimalsForBooks(config)
  const { lines, total } = makeReport(
    readSwaps(journal, config, period, filter),
    GROUPS[by],
    decimals,
  )
  const view = (line: ReportLine): ReportView["total"] => viewLine(line, decimals)
  return {
    period: { from: timeOf(period.fromMs), to: timeOf(period.untilMs) },
    by,
    lines: lines.map(view),
    total: view(total),
    services: viewServices(journal, quotersIn(config), nowMs),
    outOfBand: sumOutOfBand(readObservations(journal, config, nowMs), period),
  }
}

function viewLine(
  { group, counts, unpriced, sent, received, toDepositMs, toPayoutMs, ...sums }: ReportLine,
  decimals: (asset: AssetId) => number,
): ReportView["total"] {
  const amounts = (units: ReadonlyMap<AssetId, bigint>): Record<string, string> =>
    Object.fromEntries([...units].map(([asset, sum]) => [asset, formatUnits(sum, decimals(asset))]))
  const numberOf = (bps: bigint | null): number | null => (bps === null ? null : Number(bps))
  return {
    group,
    counts,
    successBps: numberOf(sums.successBps),
    volumeFiat: fiatOf(sums.volumeFiat),
    swapCostFiat: fiatOf(sums.swapCostFiat),
    affiliateCostFiat: fiatOf(sums.affiliateCostFiat),
    payoutCostFiat: fiatOf(sums.payoutCostFiat),
    networkFeeFiat: fiatOf(sums.networkFeeFiat),
    costBps: numberOf(sums.costBps),
    againstQuoteBps: numberOf(sums.againstQuoteBps),
    againstReferenceBps: numberOf(sums.againstReferenceBps),
    unpriced,
    sent: amounts(sent),
    received: amounts(received),
    toDepositMs,
    toPayoutMs,
  }
}

function fiatOf(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}

function timeOf(ms: number): string | null {
  return ms === 0 || ms === Number.MAX_SAFE_INTEGER ? null : new Date(ms).toISOString()
}

/** An order may earn its fee long after its request, so the time of the request chooses none. */
const ALL = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }

/** Affiliate fees by week, asset and address, of the payouts in the period. */
export function readAffiliateReport(
  { journal, config }: Omit<Sources, "nowMs">,
  { fromMs, untilMs }: Period,
): AnswerOf<"AffiliateReport"> {
  // Newest first: of an address that orders spell in several ways, the last one is shown.
  const swaps = [...readSwaps(journal, config, ALL)].toReversed()
  const earned = swaps
    .flatMap(({ redeemedAtMs, earned: records }) =>
      redeemedAtMs === null || records.length === 0 ? [] : [{ redeemedAtMs, records }],
    )
    .filter(({ redeemedAtMs }) => redeemedAtMs >= fromMs && redeemedAtMs < untilMs)
  const decimals = decimalsOf(config)
  const amountOf = ({ asset, units }: AffiliateWeek): string | null => {
    const digits = decimals.get(asset)
    return digits === undefined ? null : formatUnits(units, digits)
  }
  return {
    weeks: accrueAffiliate(earned).map((week) => {
      const { units, ...shown } = week
      return { ...shown, amount: amountOf(week), amountUnits: units.toString() }
    }),
  }
}
