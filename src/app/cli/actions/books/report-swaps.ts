import { type OutOfBand, sumOutOfBand } from "#books/out-of-band.ts"
import { parsePeriod } from "#books/period.ts"
import type { Swap } from "#books/read-swap.ts"
import { makeReport, type ReportLine } from "#books/report.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { decimalsForBooks, readSwaps } from "#daemon/views/read-swaps.ts"
import { type ServiceView, viewServices } from "#daemon/views/view-services.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { formatSecond } from "#health/format-span.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { readObservations } from "../../open/read-observations.ts"

type Grouping = "rule" | "pair" | "period" | "service" | "solver"

/**
 * Reports volume, costs, rates and times of a period from the books, by rule, pair, day, service or
 * solver. The daemon need not run.
 */
export async function reportSwaps(
  context: CommandContext,
  written: string,
  by: Grouping,
): Promise<number> {
  const period = parsePeriod(written, context.clock.now())
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const decimalsOf = decimalsForBooks(config)
  const { lines, total } = makeReport(readSwaps(journal, config, period), GROUPS[by], decimalsOf)
  const all = journal.countOrders().reduce((sum, { count }) => sum + count, 0)
  const outOfBand = sumOutOfBand(readObservations(journal, config, context.clock.now()), period)
  const services = viewServices(journal, config.services, context.clock.now())
  journal.close()
  const counted = Object.values(total.counts).reduce((sum, count) => sum + count, 0)
  const open = (total.counts["open"] ?? 0) + (total.counts["held"] ?? 0)
  if (context.json) {
    const span = { from: timeOf(period.fromMs), to: timeOf(period.untilMs) }
    const view = (line: ReportLine): Record<string, unknown> => viewLine(line, decimalsOf)
    context.print(
      plainJson(
        { period: span, by, lines: lines.map(view), total: view(total), services, outOfBand },
        2,
      ),
    )
  } else {
    context.print(
      counted === 0 ? "No orders in this period." : formatLines([...lines, total], context.columns),
    )
    context.print(describeScope(period, { counted, open, others: all - counted }))
    const resting = services.filter(({ rest }) => rest !== null)
    if (by === "service" && resting.length > 0)
      context.print(`\n${formatRests(resting, context.columns)}`)
    if (outOfBand.length > 0) context.print(`\n${formatOutOfBand(outOfBand, context.columns)}`)
  }
  return EXIT.ok
}

const GROUPS: Readonly<Record<Grouping, (swap: Swap) => string>> = {
  rule: ({ rule }) => rule,
  pair: ({ sent, received }) => `${sent.asset} → ${received.asset}`,
  period: ({ askedAtMs }) => new Date(askedAtMs).toISOString().slice(0, 10),
  service: ({ service }) => service ?? "(no quote)",
  solver: ({ service, solver }) =>
    service === null ? "(no quote)" : `${service}/${solver ?? "(no id)"}`,
}

function formatLines(lines: readonly ReportLine[], columns: number | null): string {
  const rows = lines.map((line) => [
    line.group,
    Object.entries(line.counts)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(", "),
    line.successBps === null ? "-" : `${(Number(line.successBps) / 100).toFixed(1)}%`,
    fiatOf(line.volumeFiat),
    fiatOf(line.swapCostFiat + line.affiliateCostFiat + line.payoutCostFiat),
    fiatOf(line.networkFeeFiat),
    line.costBps?.toString() ?? "-",
    line.againstQuoteBps?.toString() ?? "-",
    line.againstReferenceBps?.toString() ?? "-",
    secondsOf(line.toDepositMs?.median),
    secondsOf(line.toPayoutMs?.median),
    line.unpriced.swaps + line.unpriced.fees === 0
      ? ""
      : `${line.unpriced.swaps} swaps, ${line.unpriced.fees} fees`,
  ])
  const head = [
    "",
    "orders",
    "success",
    "volume (usd)",
    "swap cost (usd)",
    "network (usd)",
    "cost (bps)",
    "vs quote",
    "vs market",
    "to deposit",
    "to payout",
  ]
  return formatTable([...head, "without a price"], rows, columns)
}

function formatRests(services: readonly ServiceView[], columns: number | null): string {
  const rows = services.map(({ name, rest }) => [
    name,
    rest?.until ?? "",
    String(rest?.failures ?? 0),
    `${rest?.cause.message} [${rest?.cause.code}]`,
  ])
  return formatTable(["resting service", "until", "failures", "because"], rows, columns)
}

function formatOutOfBand(rules: readonly OutOfBand[], columns: number | null): string {
  const rows = rules.map(({ rule, outOfBandMs, knownMs }) => [
    rule,
    secondsOf(outOfBandMs),
    secondsOf(knownMs),
    knownMs === 0 ? "-" : `${((100 * outOfBandMs) / knownMs).toFixed(2)}%`,
  ])
  return formatTable(["rule", "out of bounds", "of", "share"], rows, columns)
}

function viewLine(
  line: ReportLine,
  decimalsOf: (asset: AssetId) => number,
): Record<string, unknown> {
  const amounts = (units: ReadonlyMap<AssetId, bigint>): Record<string, string> =>
    Object.fromEntries(
      [...units].map(([asset, sum]) => [asset, formatUnits(sum, decimalsOf(asset))]),
    )
  const numberOf = (bps: bigint | null): number | null => (bps === null ? null : Number(bps))
  return {
    group: line.group,
    counts: line.counts,
    successBps: numberOf(line.successBps),
    volumeFiat: fiatOf(line.volumeFiat),
    swapCostFiat: fiatOf(line.swapCostFiat),
    affiliateCostFiat: fiatOf(line.affiliateCostFiat),
    payoutCostFiat: fiatOf(line.payoutCostFiat),
    networkFeeFiat: fiatOf(line.networkFeeFiat),
    costBps: numberOf(line.costBps),
    againstQuoteBps: numberOf(line.againstQuoteBps),
    againstReferenceBps: numberOf(line.againstReferenceBps),
    unpriced: line.unpriced,
    sent: amounts(line.sent),
    received: amounts(line.received),
    toDepositMs: line.toDepositMs,
    toPayoutMs: line.toPayoutMs,
  }
}

function fiatOf(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}

function secondsOf(ms: number | undefined): string {
  return ms === undefined ? "-" : `${(ms / 1_000).toFixed(1)} s`
}

function timeOf(ms: number): string | null {
  return ms === 0 || ms === Number.MAX_SAFE_INTEGER ? null : new Date(ms).toISOString()
}

/** The orders that the numbers hold, and those that they leave out. */
function describeScope(
  period: { readonly fromMs: number; readonly untilMs: number },
  {
    counted,
    open,
    others,
  }: { readonly counted: number; readonly open: number; readonly others: number },
): string {
  const tell = (iso: string | null, open: string): string =>
    iso === null ? open : formatSecond(iso)
  const from = tell(timeOf(period.fromMs), "the beginning")
  const until = tell(timeOf(period.untilMs), "now")
  return [
    `Orders requested from ${from} to ${until}: ${counted}. Requested at other times and ` +
      `left out: ${others}.`,
    ...(open === 0
      ? []
      : [
          `${open} of them have no outcome yet: their costs are not final, and success ` +
            "counts only ended ones.",
        ]),
    "Swaps that Ballast did not make, your own transfers and fees of token accounts are not " +
      "in it; `ballast export` has every entry.",
  ].join("\n")
}
