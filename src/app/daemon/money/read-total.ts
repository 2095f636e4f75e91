import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { SampleRow } from "#ports/journal/ledger.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { type SeriesSources, showSeries, startOf } from "./series-span.ts"

const MONTH_MS = 30 * 24 * 3_600_000
const POINTS = 120

/**
 * The value of the treasury over time, in the reference currency: each asset that has a reading and
 * a price at that time, with its deposits on their way. `null` while a reading fails.
 */
export function readTotal(
  { journal, config, nowMs }: SeriesSources,
  since: string | null,
): AnswerOf<"Series"> {
  const fromMs = startOf(nowMs, since, MONTH_MS)
  const balances = config.assets.map(({ id }) => journal.listSamples(`balance/${id}`, fromMs))
  // A young treasury has no empty weeks before its first reading.
  const startMs = Math.max(
    fromMs,
    Math.min(nowMs, ...balances.map(([first]) => first?.atMs ?? nowMs)),
  )
  const assets = config.assets.map(({ id, decimals }, index) => ({
    scale: 10n ** BigInt(decimals),
    balance: follow(balances[index] ?? []),
    transit: follow(journal.listSamples(`transit/${id}`, fromMs)),
    price: follow(journal.listSamples(`price/${id}`, fromMs)),
  }))
  const points = Array.from({ length: POINTS + 1 }, (_, index) => {
    const atMs = startMs + ((nowMs - startMs) * index) / POINTS
    let total = 0n
    let known = 0
    let isGap = false
    for (const { scale, balance, transit, price } of assets) {
      const units = balance(atMs)
      const fiat = price(atMs)
      if (units === undefined || fiat == null) continue
      known++
      if (units === null) isGap = true
      else total += ((units + (transit(atMs) ?? 0n)) * fiat) / scale
    }
    const amount = known === 0 || isGap ? null : formatUnits(total, FIAT_DECIMALS)
    return { atMs, amount }
  })
  const first = points.findIndex(({ amount }) => amount !== null)
  return showSeries("total", { fromMs, nowMs }, first === -1 ? [] : points.slice(first))
}

/** The sample that held at each time; the times must ascend. `undefined` before the first. */
function follow(rows: readonly SampleRow[]): (atMs: number) => bigint | null | undefined {
  let next = 0
  return (atMs) => {
    while ((rows[next]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) next++
    return rows[next - 1]?.value
  }
}
