import type { JSX } from "preact"
import type { Simulation } from "../answers.ts"
import { nameAsset, shortAmount } from "../format.ts"
import { axisNumber, roundTicks } from "./scale.ts"
import { useWidth } from "./use-width.ts"

type Plot = Simulation["plots"][number]
type Fan = Plot["subjects"][number]

const HIGH = 120
const LEFT = 44
const RIGHT = 44
const BELOW = 20

/** The balance of a simulated asset: nine of ten runs as an area, the middle run as a line. */
export function FanChart({
  plot,
  at,
  days,
}: {
  plot: Plot
  at: number
  days: number
}): JSX.Element {
  const [ref, width] = useWidth()
  const { symbol } = nameAsset(plot.asset)
  const fan = plot.subjects[at] ?? { points: [], bound: null }
  const { bottom, top } = scaleOf(plot.subjects)
  const last = Math.max(1, fan.points.length - 1)
  const x = (index: number): number => LEFT + ((width - LEFT - RIGHT) * index) / last
  const y = (amount: number): number =>
    Math.max(0, Math.min(HIGH, HIGH - (HIGH * (amount - bottom)) / (top - bottom)))
  const line = (of: (point: Fan["points"][number]) => number): readonly string[] =>
    fan.points.map((point, index) => `${x(index)} ${y(of(point))}`)
  const lowest = Math.min(...fan.points.map(({ p5 }) => p5))
  const highest = Math.max(...fan.points.map(({ p95 }) => p95))
  const words = `${shortAmount(String(lowest))} to ${shortAmount(String(highest))} ${symbol}`
  const ticks = roundTicks(bottom, top, 3)
  return (
    <figure class="chart" ref={ref}>
      <svg
        width={width}
        height={HIGH + BELOW}
        role="img"
        aria-label={`Simulated balance over ${days} days, nine of ten runs: ${words}`}
      >
        {fan.bound === null ? null : <Band bound={fan.bound} y={y} right={width - RIGHT} />}
        {ticks.map((amount) => (
          <g key={amount}>
            <line class="grid-line" x1={LEFT} x2={width - RIGHT} y1={y(amount)} y2={y(amount)} />
            <text x={LEFT - 6} y={y(amount) + 4} text-anchor="end">
              {axisNumber(amount, (ticks[1] ?? 0) - (ticks[0] ?? 0))}
            </text>
          </g>
        ))}
        {[0, 0.5, 1].map((part) => (
          <text key={part} x={x(part * last)} y={HIGH + 15} text-anchor="middle">
            {Math.round(part * days * 10) / 10} d
          </text>
        ))}
        <path
          class="fan"
          d={`M${line(({ p95 }) => p95).join("L")}L${line(({ p5 }) => p5)
            .toReversed()
            .join("L")}Z`}
        />
        <path class="line-a" d={`M${line(({ p50 }) => p50).join("L")}`} />
      </svg>
      <figcaption class="note">Nine of ten runs: {words}</figcaption>
    </figure>
  )
}

/** One scale for all subjects, so that they can be compared by eye; a far maximum is clipped. */
function scaleOf(subjects: readonly Fan[]): { readonly bottom: number; readonly top: number } {
  const values = subjects.flatMap(({ points, bound }) => [
    ...points.flatMap(({ p5, p95 }) => [p5, p95]),
    ...(bound === null ? [] : [Number(bound.min), Number(bound.target)]),
  ])
  const low = Math.min(...values)
  const high = Math.max(...values)
  const margin = (high - low) * 0.1 || high * 0.05 || 1
  return { bottom: Math.max(0, low - margin), top: high + margin }
}

function Band(props: {
  bound: NonNullable<Fan["bound"]>
  y: (amount: number) => number
  right: number
}): JSX.Element {
  const { bound, y, right } = props
  const top = bound.max === null ? 0 : y(Number(bound.max))
  const min = y(Number(bound.min))
  const target = y(Number(bound.target))
  return (
    <>
      <rect
        class="band-area"
        x={LEFT}
        y={top}
        width={Math.max(0, right - LEFT)}
        height={Math.max(0, min - top)}
      />
      <line class="edge" x1={LEFT} x2={right} y1={min} y2={min} />
      <line class="goal" x1={LEFT} x2={right} y1={target} y2={target} />
      <text x={right + 6} y={min + 4}>
        min
      </text>
      {min - target < 12 ? null : (
        <text x={right + 6} y={target + 4}>
          target
        </text>
      )}
    </>
  )
}
