import type { JSX } from "preact"
import { axisNumber } from "#backtest/plot/axis.ts"
import type { Series } from "../answers.ts"
import { clockTime, money, nameAsset } from "../format.ts"
import { useLive } from "../live.ts"
import { gapsOf, pathOf, readingAt } from "./chart-path.ts"
import { fewTicks, timeTicks, widen } from "./scale.ts"
import { Scrub } from "./scrub.tsx"
import { useWidth } from "./use-width.ts"

const HIGH = 66
const RIGHT = 56

/** The total of 30 days, from readings and prices; it need not begin at 0. */
export function TotalPlot(): JSX.Element | null {
  const { value } = useLive<Series>("series/total", 60_000)
  const known = (value?.points ?? []).flatMap(({ amount }) =>
    amount === null ? [] : [Number(amount)],
  )
  const [first] = value?.points ?? []
  if (value === null || first === undefined || known.length === 0) return null
  return (
    <figure class="total-plot">
      <h2>Total, {clockTime(first.at)} to now</h2>
      <Line series={value} known={known} startAt={first.at} />
      {value.joined.length === 0 ? null : (
        <p class="note">{value.joined.slice(0, 2).map(sayJoined).join("; ")}</p>
      )}
    </figure>
  )
}

function Line(props: { series: Series; known: readonly number[]; startAt: string }): JSX.Element {
  const { series, known, startAt } = props
  const { points, to } = series
  const [ref, width] = useWidth()
  const low = Math.min(...known)
  const high = Math.max(...known)
  const [bottom, top] = widen(low, high, 0.1)
  const fromMs = Date.parse(startAt)
  const toMs = Date.parse(to)
  const x = (ms: number): number => ((width - RIGHT) * (ms - fromMs)) / Math.max(1, toMs - fromMs)
  const xAt = (at: string): number => x(Date.parse(at))
  const y = (fiat: number): number => 4 + ((HIGH - 4) * (top - fiat)) / (top - bottom)
  const ticks = fewTicks(bottom, top)
  const newest = points.at(-1)?.amount ?? null
  const words = `${money(String(low))} to ${money(String(high))}`
  return (
    <div class="chart" ref={ref}>
      <svg width={width} height={HIGH + 20} role="img" aria-label={`Total in usd: ${words}`}>
        {ticks.map((fiat) => (
          <g key={fiat}>
            <line class="grid-line" x2={width - RIGHT} y1={y(fiat)} y2={y(fiat)} />
            <text x={width - RIGHT + 6} y={y(fiat) + 4}>
              ${axisNumber(fiat, (ticks[1] ?? 0) - (ticks[0] ?? 0))}
            </text>
          </g>
        ))}
        {timeTicks(fromMs, toMs, 4).map(({ ms, label }) => (
          <text key={ms} x={x(ms)} y={HIGH + 16} text-anchor="middle">
            {label}
          </text>
        ))}
        {gapsOf(points, to).map(({ start, end }) => (
          <rect
            key={start}
            class="gap"
            x={xAt(start)}
            width={xAt(end) - xAt(start)}
            height={HIGH}
          />
        ))}
        <path class="line-a" d={pathOf(points, to, xAt, y)} />
        {newest === null ? null : (
          <circle class="dot-now" cx={x(toMs)} cy={y(Number(newest))} r="3" />
        )}
        {series.joined.map((one) => (
          <path
            key={`${one.asset} ${one.by}`}
            class="mark configuration"
            d="m-3 0v-10h7l-2 2.5 2 2.5h-7"
            transform={`translate(${xAt(one.at)} ${HIGH})`}
          >
            <title>{sayJoined(one)}</title>
          </path>
        ))}
      </svg>
      <Scrub of="total" label="Total at a time" last={120} high={HIGH} at={tellAt} />
    </div>
  )

  function tellAt(place: number): { readonly x: number; readonly words: string } {
    const ms = fromMs + ((toMs - fromMs) * place) / 120
    const amount = readingAt(points, ms)
    const fiat = amount === null ? "no reading" : money(amount)
    return { x: x(ms), words: `${clockTime(new Date(ms).toISOString())} · ${fiat}` }
  }
}

/** A new price moves no line; a new asset does, and the words say why. */
function sayJoined({ at, asset, by }: Series["joined"][number]): string {
  const { symbol, chain } = nameAsset(asset)
  const when = clockTime(at)
  return by === "price"
    ? `⚑ ${symbol} on ${chain}: before ${when} at its first price`
    : `⚑ ${symbol} on ${chain}: from ${when} on`
}
