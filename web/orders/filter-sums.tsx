import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { formatSpan } from "#health/format-span.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { Fiat } from "../parts.tsx"
import { ask } from "../session.ts"

type Sums = AnswerOf<"Report">["total"]

/** The books are read whole, so only for a filter that rests. */
const CALM_MS = 1_000
const EVERY_MS = 60_000
/** A report without a start has 30 days. */
const BEGINNING = "since=1970-01-01T00:00:00Z"

/** What all orders of a filter moved and cost, by the books; `query` is that of the list. */
export function FilterSums({ query }: { query: string }): JSX.Element | null {
  const [known, setKnown] = useState<{ readonly query: string; readonly sums: Sums } | null>(null)
  useEffect(() => {
    let ended = false
    const read = async (): Promise<void> => {
      const span = query.includes("since=") ? query : `${query}&${BEGINNING}`
      const answer = await ask("GET", `report?${span}`).catch(() => null)
      // CAST: the daemon's own answer.
      if (answer !== null && !ended) setKnown({ query, sums: (answer as AnswerOf<"Report">).total })
    }
    const first = setTimeout(read, CALM_MS)
    const again = setInterval(read, EVERY_MS)
    return () => {
      ended = true
      clearTimeout(first)
      clearInterval(again)
    }
  }, [query])
  if (known?.query !== query) return null
  const { counts, volumeFiat, costBps, toPayoutMs, unpriced, ...costs } = known.sums
  const { swapCostFiat, affiliateCostFiat, payoutCostFiat, networkFeeFiat } = costs
  const cost = [swapCostFiat, affiliateCostFiat, payoutCostFiat, networkFeeFiat]
  const left = unpriced.swaps + unpriced.fees
  return (
    <p class="sums" role="status">
      <b>All of this filter:</b>
      <span>
        {Object.entries(counts)
          .map(([outcome, count]) => `${count} ${outcome}`)
          .join(", ") || "no order"}
      </span>
      <span>
        <Fiat fiat={volumeFiat} /> moved
      </span>
      <span>
        <Fiat fiat={cost.reduce((sum, part) => sum + Number(part), 0).toFixed(6)} /> cost
        {costBps === null ? "" : `, ${costBps} bps`}
      </span>
      {toPayoutMs === null ? null : (
        <span>paid out in {formatSpan(toPayoutMs.median)} (median)</span>
      )}
      {left === 0 ? null : <span>▲ without {left} that have no price</span>}
    </p>
  )
}
