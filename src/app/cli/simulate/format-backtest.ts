import type { Backtest, BacktestedSubject } from "#backtest/backtest-policies.ts"
import type { Comparison, Paired } from "#backtest/results/compare.ts"
import type { Percentiles } from "#backtest/results/percentiles.ts"
import type { RefusalSummary, Summary } from "#backtest/results/summarise.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import { findRuleKind } from "#policy/rules/registry.ts"
import { formatTable } from "../format/table.ts"
import { formatFiat } from "./format-fiat.ts"
import { formatVerdict } from "./format-verdict.ts"

/**
 * The backtest for a terminal: the assumptions, the results, and the difference of two policies.
 */
export function formatBacktest(
  backtest: Backtest,
  scenario: Scenario,
  seeds: { first: number; count: number },
): string {
  const head =
    `${scenario.days} days from ${new Date(scenario.startMs).toISOString()}, ${seeds.count} ` +
    `runs from seed ${seeds.first}, a step every ${scenario.stepMs / 60_000} min`
  const parts = [
    head,
    formatAssumptions(scenario),
    ...backtest.subjects.flatMap((subject) => formatSubject(subject, scenario)),
  ]
  if (backtest.comparison) parts.push(formatComparison(backtest.comparison, backtest.subjects))
  parts.push(backtest.subjects.map(formatVerdict).join("\n"))
  return parts.join("\n\n")
}

function formatAssumptions(scenario: Scenario): string {
  const rows = scenario.assets.map(
    ({ id, decimals, price, startUnits, driftUnits, volatilityUnits }) => {
      const show = (units: bigint): string => shorten(formatUnits(units, decimals))
      const path = scenario.prices.find(({ name }) => name === price)
      const recorded = scenario.flows.some(({ asset }) => asset === id)
      return [
        id,
        show(startUnits),
        recorded ? "recorded" : show(driftUnits),
        recorded ? "recorded" : show(volatilityUnits),
        path ? formatFiat(path.startFiat) : "",
        path ? `${Number(path.volatilityPpm) / 10_000}%` : "",
      ]
    },
  )
  return formatTable(
    ["assumed", "start", "a day's drift", "and spread", "price", "a year's spread"],
    rows,
  )
}

function formatSubject({ name, summary }: BacktestedSubject, scenario: Scenario): string[] {
  const parts = [
    formatTable(
      [name, "p5", "p50", "p95"],
      [...formatTotals(summary), ...formatRules(summary), ...formatLimits(summary)],
    ),
  ]
  parts.push(
    formatTable(
      [
        "balance",
        "lowest p5",
        "lowest p50",
        "end p50",
        "mean value",
        "withdrawals not paid, p95",
        "in runs",
      ],
      formatAssets(summary, scenario),
    ),
  )
  const refusals = [
    ...formatRefusals("refused by a guard", summary.refused),
    ...formatRefusals("not served by the policy", summary.declined),
    ...formatRefusals("ended before its deposit", summary.rejected),
  ]
  if (refusals.length > 0)
    parts.push(formatTable(["refusal", "rule", "reason", "episodes", "times", "in runs"], refusals))
  return parts
}

function formatTotals(summary: Summary): string[][] {
  return [
    row("moves", summary.moves, String),
    row("completed", summary.completed, String),
    row("refunded", summary.refunded, String),
    row("volume", summary.volumeFiat, formatFiat),
    row("swap fees", summary.swapFeesFiat, formatFiat),
    row("network fees", summary.networkFeesFiat, formatFiat),
    row("all fees, bps of volume", summary.feesHundredthBps, (hundredths) =>
      formatUnits(hundredths, 2),
    ),
    row("in flight at most", summary.inFlightPeak, String),
  ]
}

function formatRules({ rules }: Summary): string[][] {
  return rules.flatMap(({ rule, kind, outsideBps, belowBps, aboveBps }) =>
    findRuleKind(kind)?.backtest.measures === "total"
      ? [row(`time outside, ${rule}`, outsideBps, showShare)]
      : [
          row(`time below, ${rule}`, belowBps, showShare),
          row(`time above, ${rule}`, aboveBps, showShare),
        ],
  )
}

function formatLimits({ windows }: Summary): string[][] {
  return windows.flatMap(({ perMs, used }) =>
    used.map(({ limit, bps }) =>
      row(
        `limit used, ${limit} per ${perMs === null ? "lifetime" : `${perMs / 3_600_000} h`}`,
        bps,
        (value) => showShare(Number(value)),
      ),
    ),
  )
}

function formatAssets({ assets, coins }: Summary, scenario: Scenario): string[][] {
  const show = (id: AssetId, units: bigint): string =>
    shorten(formatUnits(units, decimalsIn(scenario, id)))
  const others = coins.filter(({ coin }) => !assets.some(({ asset }) => asset === coin))
  return [
    ...assets.map(({ asset, unservedSeeds, ...one }) => [
      asset,
      show(asset, one.lowestUnits.p5),
      show(asset, one.lowestUnits.p50),
      show(asset, one.finalUnits.p50),
      formatFiat(one.meanFiat.p50),
      show(asset, one.unservedUnits.p95),
      String(unservedSeeds),
    ]),
    ...others.map(({ coin, lowestUnits }) => [
      coin,
      show(coin, lowestUnits.p5),
      show(coin, lowestUnits.p50),
      "",
      "",
      "",
      "",
    ]),
  ]
}

function formatRefusals(what: string, refusals: readonly RefusalSummary[]): string[][] {
  return refusals.map(({ rule, code, episodes, times, seeds }) => [
    what,
    rule,
    code,
    String(episodes),
    String(times),
    String(seeds),
  ])
}

function formatComparison(comparison: Comparison, subjects: readonly BacktestedSubject[]): string {
  const [first, second] = subjects.map(({ name }) => name)
  const table = formatTable(
    [`${second} less ${first}`, "p5", "p50", "p95", "less in", "same in", "more in"],
    [
      paired("all fees", comparison.feesFiat, formatFiat),
      paired("time outside bounds", comparison.outsideBps, showShare),
      paired("moves", comparison.moves, String),
    ],
  )
  const verdict = (what: string, which: "first" | "second" | null): string =>
    which === null
      ? `${what}: no clear difference.`
      : `${what}: ${which === "first" ? first : second}.`
  return (
    `${table}\n\n${verdict("Cheaper", comparison.cheaper)} ` +
    `${verdict("Keeps its bounds better", comparison.steadier)}`
  )
}

function paired<T>(
  label: string,
  { difference, less, same, more }: Paired<T>,
  show: (value: T) => string,
): string[] {
  return [...row(label, difference, show), String(less), String(same), String(more)]
}

function row<T>(
  label: string,
  { p5, p50, p95 }: Percentiles<T>,
  show: (value: T) => string,
): string[] {
  return [label, show(p5), show(p50), show(p95)]
}

function decimalsIn({ assets }: Scenario, id: AssetId): number {
  return assets.find((asset) => asset.id === id)?.decimals ?? 0
}

function showShare(bps: number): string {
  return `${(bps / 100).toFixed(2)}%`
}

/** At most six digits after the point; `--json` has all digits. */
function shorten(amount: string): string {
  const [whole = "", fraction = ""] = amount.split(".")
  const kept = trimEndOf(fraction.slice(0, 6), "0")
  return kept === "" ? whole : `${whole}.${kept}`
}
