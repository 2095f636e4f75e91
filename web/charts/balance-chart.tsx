import type { JSX } from "preact"
import { axisNumber } from "#backtest/plot/axis.ts"
import type { Flows, Overview, Series } from "../answers.ts"
import { clockTime, money, nameAsset, shortAmount } from "../format.ts"
import { useLive, useSteady } from "../live.ts"
import { bandSpans, gapsOf, pathOf, readingAt } from "./chart-path.ts"
import { fewTicks, timeTicks, widen } from "./scale.ts"
import { Scrub } from "./scrub.tsx"
import { useWidth } from "./use-width.ts"

type Bound = Overview["treasury"][number]["bounds"][number]
export type Mark = Flows["marks"][number]

const HIGH = 92
const LEFT = 44
const RIGHT = 44
/** The rail of marks, then the times. */
const RAIL = 16
const TIMES = 18

/** The readings of an asset over time as steps, each against its band, with what moved them. */
export function BalanceChart(props: {
  asset: string
  since: string
  /** The name of the time from `since` on. */
  range: string
  bound: Bound | null
  marks: readonly Mark[]
  /** In the reference currency; `null` without one. */
  price: string | null
}): JSX.Element | null {
  const { asset, since, range, bound } = props
  const path = `series/${encodeURIComponent(asset)}?since=${since}`
  const { value } = useSteady(useLive<Series>(path, 30_000), `${asset} ${range}`)
  if (value === null) return null
  const known = value.points.flatMap(({ amount }) => (amount === null ? [] : [Number(amount)]))
  if (known.length === 0) return <p class="note">No reading in this time.</p>
  return <Chart {...props} series={value} known={known} bound={bound} />
}

function Chart(props: {
  series: Series
  known: readonly number[]
  bound: Bound | null
  marks: readonly Mark[]
  price: string | null
}): JSX.Element {
  const { series, known, bound, marks, price } = props
  const [ref, width] = useWidth()
  const { from, to, points } = series
  // A young treasury has no empty years before its first reading.
  const start = points[0]?.at ?? from
  const startMs = Date.parse(start)
  const endMs = Date.parse(to)
  const { low, high, bottom, top, y } = scaleOf(known, bound)
  const x = (ms: number): number =>
    LEFT + ((width - LEFT - RIGHT) * (ms - startMs)) / Math.max(1, endMs - startMs)
  const xAt = (at: string): number => x(Date.parse(at))
  const { symbol } = nameAsset(series.asset)
  const words = rangeOf(String(low), String(high))
  return (
    <figure class="chart history" ref={ref}>
      <svg
        width={width}
        height={HIGH + RAIL + TIMES}
        role="img"
        aria-label={`Readings from ${clockTime(start)}: ${words} ${symbol}`}
      >
        <Bands bands={series.bands} startMs={startMs} endMs={endMs} x={x} y={y} />
        <Axes x={x} y={y} low={bottom} high={top} startMs={startMs} endMs={endMs} width={width} />
        {gapsOf(points, to).map((gap) => (
          <rect
            key={gap.start}
            class="gap"
            x={xAt(gap.start)}
            width={xAt(gap.end) - xAt(gap.start)}
            height={HIGH}
          />
        ))}
        <path class="line-a" d={pathOf(points, to, xAt, y)} />
        <Newest points={points} x={x(endMs)} y={y} />
        {marks
          .filter(({ at }) => at >= start)
          .map((mark) => (
            <MarkOf
              key={`${mark.at} ${mark.kind} ${mark.order}`}
              mark={mark}
              x={xAt(mark.at)}
              symbol={symbol}
            />
          ))}
      </svg>
      <Reading series={series} startMs={startMs} x={x} price={price} />
      <figcaption class="note">
        Since <span title={start}>{clockTime(start)}</span>: {words} {symbol}
        {bound === null
          ? ""
          : ` · band ${rangeOf(bound.min, bound.max)}, target ${shortAmount(bound.target)}`}
      </figcaption>
    </figure>
  )
}

/** The lowest and highest reading, and the axis around them and the band's lower part. */
function scaleOf(known: readonly number[], bound: Bound | null) {
  const low = Math.min(...known)
  const high = Math.max(...known)
  const least = Math.min(low, bound === null ? low : Number(bound.min))
  // A maximum far above the line is clipped, so that the line stays readable.
  const above = Math.max(high, bound === null ? high : Number(bound.target))
  const [bottom, top] = widen(least, above, 0.12)
  const y = (amount: number): number =>
    Math.max(0, Math.min(HIGH, HIGH - (HIGH * (amount - bottom)) / (top - bottom)))
  return { low, high, bottom, top, y }
}

function rangeOf(low: string, high: string | null): string {
  if (high === null) return `${shortAmount(low)} to any`
  return low === high ? shortAmount(low) : `${shortAmount(low)} to ${shortAmount(high)}`
}

function Axes(props: {
  x: (ms: number) => number
  y: (amount: number) => number
  low: number
  high: number
  startMs: number
  endMs: number
  width: number
}): JSX.Element {
  const { x, y, low, high, startMs, endMs, width } = props
  const ticks = fewTicks(low, high)
  return (
    <>
      {ticks.map((amount) => (
        <g key={amount}>
          <line class="grid-line" x1={LEFT} x2={width - RIGHT} y1={y(amount)} y2={y(amount)} />
          <text x={LEFT - 6} y={y(amount) + 4} text-anchor="end">
            {axisNumber(amount, (ticks[1] ?? 0) - (ticks[0] ?? 0))}
          </text>
        </g>
      ))}
      {timeTicks(startMs, endMs, Math.max(2, Math.floor(width / 70))).map(({ ms, label }) => (
        <text key={ms} x={x(ms)} y={HIGH + RAIL + 14} text-anchor="middle">
          {label}
        </text>
      ))}
    </>
  )
}

/** The band of each time, and the names of the newest one. */
function Bands(props: {
  bands: Series["bands"]
  startMs: number
  endMs: number
  x: (ms: number) => number
  y: (amount: number) => number
}): JSX.Element {
  const { x, y } = props
  const spans = bandSpans(props.bands, props.startMs, props.endMs)
  const last = spans.at(-1)?.endMs === props.endMs ? spans.at(-1) : undefined
  const right = x(props.endMs) + 6
  return (
    <>
      {spans.map(({ bound, startMs, endMs }) => {
        const top = bound.max === null ? 0 : y(Number(bound.max))
        const min = y(Number(bound.min))
        const target = y(Number(bound.target))
        const left = x(startMs)
        const end = x(endMs)
        return (
          <g key={startMs}>
            <rect
              class="band-area"
              x={left}
              y={top}
              width={Math.max(0, end - left)}
              height={Math.max(0, min - top)}
            />
            <line class="edge" x1={left} x2={end} y1={min} y2={min} />
            {top === 0 ? null : <line class="edge" x1={left} x2={end} y1={top} y2={top} />}
            <line class="goal" x1={left} x2={end} y1={target} y2={target} />
          </g>
        )
      })}
      {last === undefined ? null : (
        <text x={right} y={y(Number(last.bound.min)) + 4}>
          min
        </text>
      )}
      {last === undefined || last.bound.max === null || y(Number(last.bound.max)) === 0 ? null : (
        <text x={right} y={y(Number(last.bound.max)) + 4}>
          max
        </text>
      )}
      {last === undefined ||
      y(Number(last.bound.min)) - y(Number(last.bound.target)) < 12 ? null : (
        <text x={right} y={y(Number(last.bound.target)) + 4}>
          target
        </text>
      )}
    </>
  )
}

/** The newest reading, where there is one: a gap at the end has no dot. */
function Newest(props: {
  points: Series["points"]
  x: number
  y: (amount: number) => number
}): JSX.Element | null {
  const amount = props.points.at(-1)?.amount ?? null
  return amount === null ? null : (
    <circle class="dot-now" cx={props.x} cy={props.y(Number(amount))} r="3" />
  )
}

const SHAPES = {
  in: { path: "m0 -5 4 8h-8z", word: "arrived" },
  out: { path: "m0 3 4 -8h-8z", word: "left" },
  outside: { path: "m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z", word: "from outside" },
  alarm: { path: "m-3.5 -4.5 7 7m0 -7-7 7", word: "alarm" },
  configuration: { path: "m-3 4v-10h7l-2 2.5 2 2.5h-7", word: "another configuration in force" },
} as const

/** Swaps as triangles, outside money as a diamond, an alarm as a cross, settings as a flag. */
function MarkOf({ mark, x, symbol }: { mark: Mark; x: number; symbol: string }): JSX.Element {
  const { kind, at, amount, order } = mark
  const { path, word } = SHAPES[kind]
  const moved = amount === null ? word : `${shortAmount(amount)} ${symbol} ${word}`
  const by = order === null ? "" : `, order ${order.slice(0, 8)}`
  return (
    <path class={`mark ${kind}`} d={path} transform={`translate(${x} ${HIGH + RAIL / 2 + 1})`}>
      <title>{`${clockTime(at)}: ${moved}${by}`}</title>
    </path>
  )
}

const SCRUB_STEPS = 240

/** Hover, touch or arrow keys give the reading at a time, and its value at the price of now. */
function Reading(props: {
  series: Series
  startMs: number
  x: (ms: number) => number
  price: string | null
}): JSX.Element {
  const { series, startMs, x, price } = props
  const { symbol } = nameAsset(series.asset)
  const at = (place: number) => {
    const ms = startMs + ((Date.parse(series.to) - startMs) * place) / SCRUB_STEPS
    const amount = readingAt(series.points, ms)
    const words = [
      clockTime(new Date(ms).toISOString()),
      amount === null ? "no reading" : `${shortAmount(amount)} ${symbol}`,
      ...(amount === null || price === null ? [] : [money(String(Number(amount) * Number(price)))]),
    ].join(" · ")
    return { x: x(ms), words }
  }
  const label = `Reading of ${symbol} at a time`
  return <Scrub of="balance" label={label} last={SCRUB_STEPS} high={HIGH} at={at} />
}
