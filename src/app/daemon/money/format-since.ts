import { formatSpan, readableAt } from "#health/format-span.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

type Summary = AnswerOf<"Summary">

/** What happened since a time, and what it did to the money. */
export function formatSince(summary: Summary): readonly string[] {
  const { since, swaps, change, totalFiat, alarms, missed } = summary
  const outcomes = Object.entries(swaps.counts).map(([outcome, count]) => `${count} ${outcome}`)
  const cost = `cost ${usd(swaps.costFiat)}`
  const bps = swaps.costBps === null ? "" : ` (${swaps.costBps} bps)`
  return [
    `since     ${readableAt(Date.parse(since))}`,
    `  orders  ${swaps.orders === 0 ? "none" : outcomes.join(", ")}`,
    `  moved   ${usd(swaps.volumeFiat)}, ${cost}${bps}`,
    ...formatTimes(swaps),
    `  total   ${usd(totalFiat)}${change === null ? "" : `, ${formatChange(change)}`}`,
    ...formatLeftOut(summary),
    ...missed.map(
      ({ rule, runs }) => `  missed  ${rule}: ${runs} run${runs === 1 ? "" : "s"} came to no swap`,
    ),
    ...alarms.map(({ at, sentence }) => `  alarm   ${readableAt(Date.parse(at))} ${sentence}`),
  ]
}

/** How long the completed orders took. */
function formatTimes({ medianMs, p90Ms, slowest }: Summary["swaps"]): readonly string[] {
  if (medianMs === null || p90Ms === null || slowest === null) return []
  const most = `nine of ten within ${formatSpan(p90Ms)}`
  const last = `slowest ${formatSpan(slowest.ms)} (${slowest.order.slice(0, 8)})`
  return [`  took    half within ${formatSpan(medianMs)}, ${most}, ${last}`]
}

/** What the total does not count, and since when it has no price. */
function formatLeftOut({ unread, unpriced, assets }: Summary): readonly string[] {
  const without = unpriced
    .filter((id) => !unread.includes(id))
    .map((id) => {
      const at = assets.find(({ asset }) => asset === id)?.priceAt ?? null
      return `${id}: no price ${at === null ? "yet" : `since ${readableAt(Date.parse(at))}`}`
    })
  return [...unread.map((id) => `${id}: no reading`), ...without].map(
    (words) => `  without ${words}`,
  )
}

function formatChange(change: NonNullable<Summary["change"]>): string {
  const { from, totalFiat, pricesFiat, outsideFiat, swapsFiat } = change
  const parts = [
    `prices ${signed(pricesFiat)}`,
    `paid in and out ${signed(outsideFiat)}`,
    `swaps and fees ${signed(swapsFiat)}`,
  ]
  return `${signed(totalFiat)} since ${readableAt(Date.parse(from))} (${parts.join(", ")})`
}

function usd(fiat: string): string {
  return `${Number(fiat).toFixed(2)} usd`
}

function signed(fiat: string): string {
  return `${Number(fiat) > 0 ? "+" : ""}${usd(fiat)}`
}
