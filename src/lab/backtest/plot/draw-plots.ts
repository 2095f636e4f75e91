import { money, shortAmount } from "#domain/amount.ts"
import { fanOf } from "../results/percentiles.ts"
import { axisNumber, roundTicks } from "./axis.ts"
import type { Fan, Plot, Spent } from "./read-plots.ts"

/** A part of a drawing; `tone` is the class of the desk's style sheet that colours it. */
export type Mark = {
  readonly tag: "line" | "path" | "rect" | "text"
  readonly tone: Tone
  readonly at: Readonly<Record<string, string | number>>
  readonly text?: string
}

export type Tone =
  | "fan"
  | "half"
  | "line-a"
  | "band-area"
  | "edge"
  | "goal"
  | "grid-line"
  | "bar-a"
  | "bar-b"
  | "run-tick"
  | "label"

/** `words`: the same in a sentence. */
export type Drawing = {
  readonly width: number
  readonly height: number
  readonly words: string
  readonly marks: readonly Mark[]
}

const HIGH = 120
const LEFT = 56
const RIGHT = 52
/** Where a fan stands in its drawing, for what the page lays over it. */
export const FAN = { high: HIGH, left: LEFT, right: RIGHT } as const
const BELOW = 20
const NAMES = ["as it is", "changed"]

/** The balance of an asset: nine of ten runs and half of them as areas, the middle as a line. */
export function drawFan(plot: Plot, index: number, days: number, width: number): Drawing {
  const fan = plot.subjects[index] ?? { points: [], bound: null }
  const { bottom, top } = scaleOf(plot.subjects)
  const right = width - RIGHT
  const last = Math.max(1, fan.points.length - 1)
  const x = (at: number): number => round(LEFT + ((right - LEFT) * at) / last)
  const y = (amount: number): number =>
    round(Math.max(0, Math.min(HIGH, HIGH - (HIGH * (amount - bottom)) / (top - bottom))))
  const line = (of: (point: Fan["points"][number]) => number): readonly string[] =>
    fan.points.map((point, at) => `${x(at)} ${y(of(point))}`)
  const area = (low: "p5" | "p25", high: "p75" | "p95"): string =>
    `M${[...line((point) => point[high]), ...line((point) => point[low]).toReversed()].join("L")}Z`
  const lowest = Math.min(...fan.points.map(({ p5 }) => p5))
  const highest = Math.max(...fan.points.map(({ p95 }) => p95))
  const symbol = plot.asset.split(":")[1]?.toUpperCase() ?? ""
  const ticks = roundTicks(bottom, top, 3)
  return {
    width,
    height: HIGH + BELOW,
    words:
      `Simulated balance over ${sayDays(days)}, nine of ten runs: ` +
      `${shortAmount(String(lowest))} to ${shortAmount(String(highest))} ${symbol}`,
    marks: [
      ...bandOf(fan.bound, y, right),
      ...ticks.flatMap((amount) => [
        across("grid-line", y(amount), right),
        text(LEFT - 6, y(amount) + 4, axisNumber(amount, (ticks[1] ?? 0) - (ticks[0] ?? 0)), "end"),
      ]),
      ...daysBelow(days, HIGH, right),
      { tag: "path", tone: "fan", at: { d: area("p5", "p95") } },
      { tag: "path", tone: "half", at: { d: area("p25", "p75") } },
      { tag: "path", tone: "line-a", at: { d: `M${line(({ p50 }) => p50).join("L")}` } },
    ],
  }
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

function bandOf(bound: Fan["bound"], y: (amount: number) => number, right: number): Mark[] {
  if (bound === null) return []
  const top = bound.max === null ? 0 : y(Number(bound.max))
  const min = y(Number(bound.min))
  const target = y(Number(bound.target))
  const height = Math.max(0, min - top)
  return [
    { tag: "rect", tone: "band-area", at: { x: LEFT, y: top, width: right - LEFT, height } },
    across("edge", min, right),
    across("goal", target, right),
    text(right + 6, min + 4, "min", "start"),
    ...(min - target < 12 ? [] : [text(right + 6, target + 4, "target", "start")]),
    ...(top === 0 || target - top < 12
      ? []
      : [across("edge", top, right), text(right + 6, top + 4, "max", "start")]),
  ]
}

const COLUMNS = 30
const ROW = 62
const BAR = 40

/** How many runs cost how much: a row of columns for each subject, on one scale. */
export function drawCosts(subjects: readonly Spent[], days: number, width: number): Drawing {
  const rows = subjects.map(({ costs }) => costs.map((cost) => Number(cost) / 1e6))
  const low = Math.min(...rows.flat())
  const high = Math.max(...rows.flat())
  const span = high - low || 1
  const right = width - 14
  const x = (cost: number): number => round(LEFT + ((right - LEFT) * (cost - low)) / span)
  const columnOf = (cost: number): number =>
    Math.min(COLUMNS - 1, Math.floor(((cost - low) / span) * COLUMNS))
  const counts = rows.map((row) =>
    Array.from({ length: COLUMNS }, (_, at) => row.filter((cost) => columnOf(cost) === at).length),
  )
  const most = Math.max(1, ...counts.flat())
  const medians = rows.map((row) => fanOf(row).p50)
  const wide = (right - LEFT) / COLUMNS
  return {
    width,
    height: ROW * rows.length + BELOW,
    words:
      `Cost of ${sayDays(days)} in ${rows[0]?.length ?? 0} runs, the middle one: ` +
      medians.map((median, row) => `${NAMES[row]} ${fiat(median)}`).join(", "),
    marks: [
      ...counts.flatMap((row, index): Mark[] => {
        const foot = ROW * (index + 1)
        const median = medians[index] ?? 0
        const middle = x(median)
        const isRight = middle > (LEFT + right) / 2
        return [
          ...row.flatMap((runs, at): Mark[] => {
            const height = round((BAR * runs) / most)
            const place = { x: round(LEFT + at * wide + 0.5), y: foot - height }
            const size = { width: round(wide - 1), height }
            const tone = index === 0 && rows.length > 1 ? "bar-b" : "bar-a"
            return runs === 0 ? [] : [{ tag: "rect", tone, at: { ...place, ...size } }]
          }),
          across("grid-line", foot, right),
          text(0, foot - 4, NAMES[index] ?? "", "start"),
          {
            tag: "line",
            tone: "edge",
            at: { x1: middle, x2: middle, y1: foot - ROW + 8, y2: foot },
          },
          text(
            middle + (isRight ? -5 : 5),
            foot - ROW + 17,
            `median ${fiat(median)}`,
            isRight ? "end" : "start",
          ),
        ]
      }),
      ...roundTicks(low, high).map((cost) =>
        text(x(cost), ROW * rows.length + 15, `$${axisNumber(cost)}`, "middle"),
      ),
    ],
  }
}

const STRIP = 26

/** When the middle run would swap: a row for each subject. */
export function drawSwaps(subjects: readonly Spent[], days: number, width: number): Drawing {
  const right = width - 14
  const foot = STRIP * subjects.length
  return {
    width,
    height: foot + BELOW,
    words:
      `When the middle run would swap in ${sayDays(days)}: ` +
      subjects.map(({ swapDays }, row) => `${NAMES[row]} ${swapDays.length} times`).join(", "),
    marks: [
      ...subjects.flatMap(({ swapDays }, row): Mark[] => [
        across("grid-line", STRIP * (row + 1), right),
        text(0, STRIP * (row + 1) - 4, NAMES[row] ?? "", "start"),
        ...swapDays.map((day): Mark => {
          const x = round(LEFT + ((right - LEFT) * day) / days)
          const y = STRIP * (row + 1)
          return { tag: "line", tone: "run-tick", at: { x1: x, x2: x, y1: y - 16, y2: y } }
        }),
      ]),
      ...daysBelow(days, foot, right),
    ],
  }
}

function daysBelow(days: number, foot: number, right: number): readonly Mark[] {
  return [0, 0.5, 1].map((part) =>
    text(
      LEFT + (right - LEFT) * part,
      foot + 15,
      `${Math.round(part * days * 10) / 10} d`,
      "middle",
    ),
  )
}

function across(tone: Tone, y: number, right: number): Mark {
  return { tag: "line", tone, at: { x1: LEFT, x2: right, y1: y, y2: y } }
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end"): Mark {
  return { tag: "text", tone: "label", at: { x: round(x), y, "text-anchor": anchor }, text: words }
}

export function sayDays(days: number): string {
  return `${days} day${days === 1 ? "" : "s"}`
}

function fiat(value: number): string {
  return money(value.toFixed(2))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
