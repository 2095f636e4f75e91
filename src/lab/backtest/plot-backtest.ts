import type { AssetId } from "#domain/asset.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { Backtest, BacktestedSubject } from "./backtest-policies.ts"
import { percentilesOf } from "./results/percentiles.ts"
import type { Subject } from "./subject.ts"
import type { Scenario } from "./world/scenario.ts"

/**
 * The backtest as one SVG: a panel for each asset's balance and one for the accumulated fees, a
 * column for each policy. The area covers the middle nine tenths of the runs, the line is the
 * median, and dashes are balance bounds. Panels in one row share their scale.
 */
export function plotBacktest(
  backtest: Backtest,
  subjects: readonly Subject[],
  scenario: Scenario,
): string {
  const rows = [
    ...scenario.assets
      .filter(({ id }) => backtest.subjects.some((subject) => seriesOf(subject, id).length > 0))
      .map(({ id, decimals }) => ({
        title: id,
        cells: backtest.subjects.map((subject, index) => ({
          curves: seriesOf(subject, id),
          bounds: boundsOf(subjects[index], id, decimals),
        })),
      })),
    {
      title: "fees so far",
      cells: backtest.subjects.map(({ runs }) => ({
        curves: runs.map(({ samples }) => samples.feesFiat),
        bounds: [],
      })),
    },
  ]
  const height = HEAD + rows.length * (PANEL.height + GAP)
  const width = backtest.subjects.length * (PANEL.width + GAP) + GAP
  const titles = backtest.subjects.map(({ name }, column) =>
    textAt(leftOf(column) + PANEL.left, HEAD - 26, name, 'font-weight="bold"'),
  )
  const panels = rows.flatMap(({ title, cells }, row) => {
    const top = roundTop(
      Math.max(
        0,
        ...cells.flatMap(({ curves, bounds }) => [...curves.flatMap(highest), ...bounds]),
      ),
    )
    return cells.map((cell, column) => {
      const place = `translate(${leftOf(column)} ${HEAD + row * (PANEL.height + GAP)})`
      return (
        "<g " +
        `transform="${place}">${drawPanel({ ...cell, title, top, days: scenario.days })}</g>`
      )
    })
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...titles,
    ...panels,
    "</svg>\n",
  ].join("\n")
}

const HEAD = 56
const GAP = 44
const PANEL = { width: 560, height: 150, left: 70 } as const

type Panel = {
  readonly title: string
  /** One for each run. */
  readonly curves: readonly (readonly number[])[]
  readonly bounds: readonly number[]
  readonly top: number
  readonly days: number
}

function seriesOf({ runs }: BacktestedSubject, id: AssetId): (readonly number[])[] {
  return runs.flatMap(({ samples }) => (samples.balances[id] ? [samples.balances[id]] : []))
}

function boundsOf(subject: Subject | undefined, id: AssetId, decimals: number): number[] {
  const rules = subject?.settings.rules ?? []
  return rules
    .filter((rule) => rule.enabled !== false)
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .filter(({ asset }) => asset === id)
    .flatMap(({ minUnits, targetUnits, maxUnits }) => [
      minUnits,
      targetUnits,
      ...(maxUnits === null ? [] : [maxUnits]),
    ])
    .map((units) => Number(units) / 10 ** decimals)
}

/** Those of the desk in its light theme. */
const COLOURS = { middle: "#2456c9", bound: "#3f8f7b" }
const BOUND = `stroke="${COLOURS.bound}" stroke-dasharray="5 4"`

function drawPanel({ title, curves, bounds, top, days }: Panel): string {
  const count = Math.max(...curves.map(({ length }) => length))
  const points = Array.from({ length: count }, (_, at) =>
    percentilesOf(curves.map((curve) => curve[at] ?? 0)),
  )
  const x = (at: number): number =>
    PANEL.left + (at * (PANEL.width - PANEL.left)) / Math.max(1, count - 1)
  const y = (value: number): number => PANEL.height - (value * PANEL.height) / top
  const line = (values: readonly number[]): string =>
    values.map((value, at) => `${round(x(at))},${round(y(value))}`).join(" ")
  const low = line(points.map(({ p5 }) => p5))
  const high = line(points.map(({ p95 }) => p95))
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  return [
    textAt(PANEL.left, -6, title),
    ...ticks.map(
      (part) =>
        gridLine(y(top * part)) +
        textAt(PANEL.left - 6, y(top * part) + 4, shorten(top * part), 'text-anchor="end"'),
    ),
    ...ticks.map((part) =>
      textAt(
        x(part * (count - 1)),
        PANEL.height + 14,
        `${Math.round(days * part)} d`,
        'text-anchor="middle" fill="#888"',
      ),
    ),
    `<polygon points="${high} ${low.split(" ").reverse().join(" ")}" fill="${COLOURS.middle}" ` +
      `fill-opacity="0.22"/>`,
    ...bounds.map((bound) => gridLine(y(bound), BOUND)),
    `<polyline points="${line(points.map(({ p50 }) => p50))}" fill="none" ` +
      `stroke="${COLOURS.middle}" ` +
      `stroke-width="1.3"/>`,
  ].join("")
}

function gridLine(y: number, style = 'stroke="#e5e5e5"'): string {
  return `<line x1="${PANEL.left}" x2="${PANEL.width}" y1="${round(y)}" y2="${round(y)}" ${style}/>`
}

function textAt(x: number, y: number, text: string, style = ""): string {
  return `<text x="${round(x)}" y="${round(y)}" ${style}>${escapeXml(text)}</text>`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

function leftOf(column: number): number {
  return GAP / 2 + column * (PANEL.width + GAP)
}

function highest(curve: readonly number[]): number[] {
  return curve.length === 0 ? [] : [curve.reduce((a, b) => (a > b ? a : b))]
}

/** The next higher value with round numbers at the four ticks of the axis. */
function roundTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value / TICKS))
  const steps = [1, 2, 2.5, 5, 10].map((step) => step * power * TICKS)
  return steps.find((top) => top >= value) ?? value
}

const TICKS = 4

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Three significant digits, without an exponent. */
function shorten(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
