import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Overview, Series } from "./answers.ts"
import { gapsOf, pathOf } from "./chart-path.ts"
import { clockTime, nameAsset, shortAmount } from "./format.ts"
import { useLive } from "./live.ts"

type Bound = Overview["treasury"][number]["bounds"][number]

const DAY_MS = 86_400_000
const HIGH = 60
const WIDE = 300

/** The readings of an asset over time as steps, against the band of now. */
export function BalanceChart(props: {
  asset: string
  days: number
  bound: Bound | null
}): JSX.Element | null {
  const { asset, days, bound } = props
  // The minute of the first look, so that the path and its answers stay the same.
  const [openedMs] = useState(Date.now)
  const since = new Date(openedMs - days * DAY_MS).toISOString()
  const { value } = useLive<Series>(`series/${encodeURIComponent(asset)}?since=${since}`, 30_000)
  if (value === null) return null
  const known = value.points.flatMap(({ amount }) => (amount === null ? [] : [Number(amount)]))
  if (known.length === 0) return <p class="note">No reading in this time.</p>
  return <Chart series={value} known={known} bound={bound} />
}

function Chart({
  series,
  known,
  bound,
}: {
  series: Series
  known: readonly number[]
  bound: Bound | null
}): JSX.Element {
  const { asset, from, to, points } = series
  const low = Math.min(...known)
  const high = Math.max(...known)
  const { symbol } = nameAsset(asset)
  const bottom = Math.min(low, bound === null ? low : Number(bound.min))
  // A maximum far above the line is clipped, so that the line stays readable.
  const above = Math.max(high, bound === null ? high : Number(bound.target))
  const margin = (above - bottom) * 0.12 || above * 0.05 || 1
  const y = (amount: number): number =>
    Math.max(
      0,
      Math.min(HIGH, HIGH - (HIGH * (amount - bottom + margin)) / (above - bottom + 2 * margin)),
    )
  // A young treasury has no empty years before its first reading.
  const start = points[0]?.at ?? from
  const startMs = Date.parse(start)
  const x = (at: string): number =>
    (WIDE * (Date.parse(at) - startMs)) / Math.max(1, Date.parse(to) - startMs)
  const lowest = shortAmount(String(low))
  const highest = shortAmount(String(high))
  const words = `${lowest === highest ? lowest : `${lowest} to ${highest}`} ${symbol}`
  return (
    <figure class="history">
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Readings from ${clockTime(start)}: ${words}`}
      >
        {bound === null ? null : <BandOf bound={bound} y={y} />}
        {gapsOf(points, to).map((gap) => (
          <rect
            key={gap.start}
            class="gap"
            x={x(gap.start)}
            width={x(gap.end) - x(gap.start)}
            height={HIGH}
          />
        ))}
        <path class="balance" d={pathOf(points, to, x, y)} />
      </svg>
      <figcaption class="note">
        Since <span title={start}>{clockTime(start)}</span>: {words}
        {bound === null ? "" : ` · band ${rangeOf(bound)}`}
      </figcaption>
    </figure>
  )
}

function rangeOf({ min, max }: Bound): string {
  return `${shortAmount(min)} to ${max === null ? "any" : shortAmount(max)}`
}

function BandOf({ bound, y }: { bound: Bound; y: (amount: number) => number }): JSX.Element {
  const top = bound.max === null ? 0 : y(Number(bound.max))
  return (
    <>
      <rect class="range" y={top} width={WIDE} height={Math.max(0, y(Number(bound.min)) - top)} />
      <line class="edge" x2={WIDE} y1={y(Number(bound.min))} y2={y(Number(bound.min))} />
      <line class="goal" x2={WIDE} y1={y(Number(bound.target))} y2={y(Number(bound.target))} />
    </>
  )
}
