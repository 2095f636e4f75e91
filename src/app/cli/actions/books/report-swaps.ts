import { parsePeriod } from "#books/period.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { type Grouping, type ReportView, readReport } from "#daemon/study/read-report.ts"
import { FIAT_DECIMALS, formatUnits, parseUnits } from "#domain/amount.ts"
import { formatSecond } from "#health/format-span.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

/**
 * Reports volume, costs, rates and times of a period from the books, by rule, pair, day, kind,
 * service or solver. The daemon need not run.
 */
export async function reportSwaps(
  context: CommandContext,
  written: string,
  by: Grouping,
): Promise<number> {
  const period = parsePeriod(written, context.clock.now())
  const config = openConfigForReading(context)
  const journal = openExistingJournal(config)
  const report = readReport({ journal, config, nowMs: context.clock.now() }, period, by)
  const all = journal.countOrders().reduce((sum, { count }) => sum + count, 0)
  journal.close()
  const { lines, total, services, outOfBand } = report
  const counted = Object.values(total.counts).reduce((sum, count) => sum + count, 0)
  const open = (total.counts["open"] ?? 0) + (total.counts["held"] ?? 0)
  if (context.json) context.print(plainJson(report, 2))
  else {
    context.print(
      counted === 0 ? "No orders in this period." : formatLines([...lines, total], context.columns),
    )
    context.print(describeScope(report.period, { counted, open, others: all - counted }))
    const resting = services.filter(({ rest }) => rest !== null)
    if (by === "service" && resting.length > 0)
      context.print(`\n${formatRests(resting, context.columns)}`)
    if (outOfBand.length > 0) context.print(`\n${formatOutOfBand(outOfBand, context.columns)}`)
  }
  return EXIT.ok
}

function formatLines(lines: readonly ReportView["total"][], columns: number | null): string {
  const rows = lines.map((line) => [
    line.group,
    Object.entries(line.counts)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(", "),
    line.successBps === null ? "-" : `${(line.successBps / 100).toFixed(1)}%`,
    line.volumeFiat,
    addFiat(line.swapCostFiat, line.affiliateCostFiat, line.payoutCostFiat),
    line.networkFeeFiat,
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

function formatRests(services: ReportView["services"], columns: number | null): string {
  const rows = services.map(({ name, rest }) => [
    name,
    rest?.until ?? "",
    String(rest?.failures ?? 0),
    `${rest?.cause.message} [${rest?.cause.code}]`,
  ])
  return formatTable(["resting service", "until", "failures", "because"], rows, columns)
}

function formatOutOfBand(rules: ReportView["outOfBand"], columns: number | null): string {
  const rows = rules.map(({ rule, outOfBandMs, knownMs }) => [
    rule,
    secondsOf(outOfBandMs),
    secondsOf(knownMs),
    knownMs === 0 ? "-" : `${((100 * outOfBandMs) / knownMs).toFixed(2)}%`,
  ])
  return formatTable(["rule", "out of bounds", "of", "share"], rows, columns)
}

function addFiat(...parts: readonly string[]): string {
  const sum = parts.reduce((total, part) => total + unitsOf(part), 0n)
  return formatUnits(sum, FIAT_DECIMALS)
}

function unitsOf(fiat: string): bigint {
  return fiat.startsWith("-") ? -unitsOf(fiat.slice(1)) : parseUnits(fiat, FIAT_DECIMALS)
}

function secondsOf(ms: number | undefined): string {
  return ms === undefined ? "-" : `${(ms / 1_000).toFixed(1)} s`
}

/** The orders that the numbers hold, and those that they leave out. */
function describeScope(
  period: ReportView["period"],
  {
    counted,
    open,
    others,
  }: { readonly counted: number; readonly open: number; readonly others: number },
): string {
  const tell = (iso: string | null, open: string): string =>
    iso === null ? open : formatSecond(iso)
  const from = tell(period.from, "the beginning")
  const until = tell(period.to, "now")
  return [
    `Orders requested from ${from} to ${until}: ${counted}. Requested at other times and ` +
      `left out: ${others}.`,
    ...(open === 0
      ? []
      : [
          `Without an outcome yet, so that costs are not final: ${open}. Success counts only ` +
            "ended ones.",
        ]),
    "Swaps that Ballast did not make, your own transfers and fees of token accounts are not " +
      "in it; `ballast export` has every entry.",
  ].join("\n")
}
