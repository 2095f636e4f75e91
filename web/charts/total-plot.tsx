import type { JSX } from "preact"
import { axisNumber, roundTicks } from "#backtest/plot/axis.ts"
import type { Series } from "../answers.ts"
import { clockTime, money } from "../format.ts"
import { useLive } from "../live.ts"
import { pathOf } from "./chart-path.ts"
import { timeTicks } from "./scale.ts"
import { useWidth } from "./use-width.ts"

const TOTAL_HIGH = 62

/** The total of 30 days, from readings and prices; it need not begin at 0. */
export function TotalPlot(): JSX.Element | null {
  const { value } = useLive<Series>("series/total", 60_000)
  const [ref, width] = useWidth()
  const known = (value?.points ?? []).flatMap(({ amount }) =>
    amount === null ? [] : [Number(amount)],
  )
  const [first] = value?.points ?? []
  if (value === null || first === undefined || known.length === 0) return null
  const low = Math.min(...known)
  const high = Math.max(...known)
  const margin = (high - low) * 0.1 || high * 0.01 || 1
  const fromMs = Date.parse(first.at)
  const toMs = Date.parse(value.to)
  const x = (ms: number): number => ((width - 56) * (ms - fromMs)) / Math.max(1, toMs - fromMs)
  const y = (fiat: number): number =>
    4 + (TOTAL_HIGH * (high + margin - fiat)) / (high - low + 2 * margin)
  const ticks = roundTicks(low - margin, high + margin, 2)
  const words = `${money(String(low))} to ${money(String(high))}`
  return (
    <figure class="chart total-plot" ref={ref}>
      <h2>Total, {clockTime(first.at)} to now</h2>
      <svg width={width} height={TOTAL_HIGH + 24} role="img" aria-label={`Total in usd: ${words}`}>
        <title>{words}</title>
        {ticks.map((fiat) => (
          <g key={fiat}>
            <line class="grid-line" x2={width - 56} y1={y(fiat)} y2={y(fiat)} />
            <text x={width - 50} y={y(fiat) + 4}>
              ${axisNumber(fiat, (ticks[1] ?? 0) - (ticks[0] ?? 0))}
            </text>
          </g>
        ))}
        {timeTicks(fromMs, toMs, 4).map(({ ms, label }) => (
          <text key={ms} x={x(ms)} y={TOTAL_HIGH + 20} text-anchor="middle">
            {label}
          </text>
        ))}
        <path class="line-a" d={pathOf(value.points, value.to, (at) => x(Date.parse(at)), y)} />
      </svg>
    </figure>
  )
}
