import type { JSX } from "preact"
import { roundTicks } from "#backtest/plot/axis.ts"
import { timeTicks } from "./scale.ts"
import { Scrub } from "./scrub.tsx"
import { useWidth } from "./use-width.ts"

export type Step = { readonly from: string; readonly to: string }
/** A value of each step; `null` where there was none: a line has a gap there. */
export type StepSeries<One> = {
  readonly name: string
  readonly of: (step: One) => number | null
  readonly tone: "a" | "b"
}

const HIGH = 132
const LEFT = 48
const RIGHT = 8
/** Room for the names at the ends of lines. */
const NAMES = 64
const BELOW = 20

type Props<One> = {
  readonly title: string
  readonly steps: readonly One[]
  readonly series: readonly StepSeries<One>[]
  /** Stacked bars, or a line for each series. */
  readonly as: "bars" | "lines"
  readonly show: (value: number) => string
  /** A dashed line with its name. */
  readonly limit?: { readonly value: number; readonly name: string } | null
}

/** Bars and lines by hour, day or week, from 0; the step that is not over is pale. */
export function StepsChart<One extends Step>(props: Props<One>): JSX.Element {
  const { title, steps, series, as, show, limit = null } = props
  const [ref, width] = useWidth()
  const valuesOf = (step: One): readonly number[] => series.map(({ of }) => of(step) ?? 0)
  const heightOf = (step: One): number =>
    as === "bars"
      ? valuesOf(step).reduce((sum, value) => sum + value, 0)
      : Math.max(...valuesOf(step))
  const highest = Math.max(...steps.map(heightOf), limit?.value ?? 0)
  const top = highest === 0 ? 1 : highest * 1.08
  const fromMs = Date.parse(steps[0]?.from ?? "")
  const toMs = Date.parse(steps.at(-1)?.to ?? "")
  const side = as === "lines" && series.length > 1 ? NAMES : RIGHT
  const x = (ms: number): number =>
    LEFT + ((width - LEFT - side) * (ms - fromMs)) / Math.max(1, toMs - fromMs)
  const y = (value: number): number => 8 + HIGH - (HIGH * value) / top
  return (
    <figure class="chart" ref={ref}>
      <svg
        width={width}
        height={8 + HIGH + BELOW}
        role="img"
        aria-label={sentenceOf(props, highest)}
      >
        {roundTicks(0, top).map((value) => (
          <g key={value}>
            <line class="grid-line" x1={LEFT} x2={width - side} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {show(value)}
            </text>
          </g>
        ))}
        {timeTicks(fromMs, toMs, Math.max(2, Math.floor(width / 60))).map(({ ms, label }) => (
          <text key={ms} x={x(ms)} y={8 + HIGH + 15} text-anchor="middle">
            {label}
          </text>
        ))}
        {as === "bars" ? (
          <Bars steps={steps} series={series} x={x} y={y} show={show} />
        ) : (
          <Lines steps={steps} series={series} x={x} y={y} />
        )}
        {limit === null ? null : (
          <>
            <line
              class="limit-line"
              x1={LEFT}
              x2={width - side}
              y1={y(limit.value)}
              y2={y(limit.value)}
            />
            <text x={width - side} y={y(limit.value) - 4} text-anchor="end">
              {limit.name}
            </text>
          </>
        )}
      </svg>
      {steps.length < 2 ? null : <Figures {...props} x={x} />}
      <HiddenTable title={title} steps={steps} series={series} show={show} />
    </figure>
  )
}

function sentenceOf<One extends Step>({ title, steps, show }: Props<One>, highest: number): string {
  return `${title}: ${steps.length} steps from ${steps[0]?.from ?? ""}, at most ${show(highest)}`
}

type Drawn<One> = Pick<Props<One>, "steps" | "series"> & {
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
}

function Bars<One extends Step>(props: Drawn<One> & Pick<Props<One>, "show">): JSX.Element {
  const { steps, series, x, y, show } = props
  const now = Date.now()
  return (
    <>
      {steps.map((step) => {
        const left = x(Date.parse(step.from))
        const right = x(Date.parse(step.to))
        const isOver = Date.parse(step.to) <= now
        let below = 0
        return series.map(({ name, of, tone }) => {
          const value = of(step) ?? 0
          below += value
          return (
            <rect
              key={`${step.from} ${name}`}
              class={`bar-${tone} ${isOver ? "" : "part"}`}
              x={left + (right - left) * 0.14}
              width={Math.max(1, (right - left) * 0.72)}
              y={y(below)}
              height={Math.max(0, y(0) - y(value))}
            >
              <title>{`${nameOf(step)}, ${name}: ${show(value)}${isOver ? "" : " so far"}`}</title>
            </rect>
          )
        })
      })}
    </>
  )
}

function Lines<One extends Step>({ steps, series, x, y }: Drawn<One>): JSX.Element {
  const middle = (step: One): number => x((Date.parse(step.from) + Date.parse(step.to)) / 2)
  const now = Date.now()
  const names = series.length > 1 ? placeNames(steps, series, y) : []
  return (
    <>
      {names.map(({ name, ms, labelY }) => (
        <text key={name} x={x(ms) + 7} y={labelY}>
          {name}
        </text>
      ))}
      {series.map(({ name, of, tone }) => {
        const known = steps.map((step) => ({ step, value: of(step) }))
        const path = known
          .map(({ step, value }, index) => {
            if (value === null) return ""
            const isStart = index === 0 || known[index - 1]?.value === null
            return `${isStart ? "M" : "L"}${middle(step)} ${y(value)}`
          })
          .join("")
        return (
          <g key={name}>
            <path class={`line-${tone}`} d={path} />
            {known.map(({ step, value }) =>
              value === null ? null : (
                <circle
                  key={step.from}
                  class={`dot-${tone} ${Date.parse(step.to) <= now ? "" : "part"}`}
                  cx={middle(step)}
                  cy={y(value)}
                  r="2.2"
                />
              ),
            )}
          </g>
        )
      })}
    </>
  )
}

const LINE = 12

/** Each name stands where its line ends, and none on the one before. */
function placeNames<One extends Step>(
  steps: readonly One[],
  series: readonly StepSeries<One>[],
  y: (value: number) => number,
): readonly { readonly name: string; readonly ms: number; readonly labelY: number }[] {
  const ends = series.flatMap(({ name, of }) => {
    const last = steps.findLast((step) => of(step) !== null)
    if (last === undefined) return []
    const ms = (Date.parse(last.from) + Date.parse(last.to)) / 2
    return [{ name, ms, labelY: y(of(last) ?? 0) + 4 }]
  })
  let above = Number.NEGATIVE_INFINITY
  return ends
    .toSorted((a, b) => a.labelY - b.labelY)
    .map((one) => {
      above = Math.max(one.labelY, above + LINE)
      return { ...one, labelY: above }
    })
}

function nameOf({ from, to }: Step): string {
  return Date.parse(to) - Date.parse(from) < 24 * 3_600_000
    ? `${from.slice(0, 10)} ${from.slice(11, 16)} UTC`
    : from.slice(0, 10)
}

/** The figures of each step, by hover or keys. */
function Figures<One extends Step>(
  props: Props<One> & { readonly x: (ms: number) => number },
): JSX.Element {
  const { title, steps, series, show, x } = props
  const at = (place: number) => {
    const step = steps[place]
    if (step === undefined) return { x: 0, words: "no step" }
    const middle = (Date.parse(step.from) + Date.parse(step.to)) / 2
    return { x: x(middle), words: tellStep(step, series, show) }
  }
  const label = `${title} at a time`
  const of = props.as === "lines" && series.length > 1 ? "named" : "steps"
  return <Scrub of={of} label={label} last={steps.length - 1} high={8 + HIGH} at={at} />
}

function tellStep<One extends Step>(
  step: One,
  series: readonly StepSeries<One>[],
  show: (value: number) => string,
): string {
  const isOver = Date.parse(step.to) <= Date.now()
  const values = series.map(({ name, of }) => {
    const value = of(step)
    return `${name} ${value === null ? "none" : show(value)}`
  })
  return `${nameOf(step)} · ${values.join(" · ")}${isOver ? "" : " · so far"}`
}

/** A table ignores the height of the class, so a block around it has that. */
function HiddenTable<One extends Step>(
  props: Pick<Props<One>, "title" | "steps" | "series" | "show">,
): JSX.Element {
  const { title, steps, series, show } = props
  return (
    <div class="hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.from}>
              <th scope="row">{nameOf(step)}</th>
              {series.map(({ name, of }) => {
                const value = of(step)
                return <td key={name}>{value === null ? "none" : show(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
