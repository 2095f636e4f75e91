import type { Row } from "./row.ts"

const WIDTH = 800
const HEIGHT = 400
const LEFT = 90
const BOTTOM = 50
const TOP = 20
const RIGHT = 310
const COLOURS = ["#1d6fb8", "#c2410c", "#15803d", "#7e22ce", "#b91c1c"]

/**
 * A plot of the rows with a point, one line each, both axes in powers of ten. Beside each line
 * stands the slope of its upper end: 1 grows with the number, 2 with its square. SVG.
 */
export function drawCurves(rows: readonly Row[], title: string): string {
  const points = rows.flatMap(({ point, value }) =>
    point === undefined ? [] : [{ ...point, y: Math.max(value, 0.1) }],
  )
  const lines = [...new Set(points.map(({ line }) => line))]
  const xs = rangeOf(points.map(({ x }) => x))
  const ys = rangeOf(points.map(({ y }) => y))
  const place = (value: number, [low, high]: Range): number =>
    (Math.log10(value) - low) / Math.max(1, high - low)
  const left = (x: number): string => (LEFT + place(x, xs) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const top = (y: number): string =>
    (HEIGHT - BOTTOM - place(y, ys) * (HEIGHT - BOTTOM - TOP)).toFixed(1)
  const drawn = lines.map((line, index) => {
    const colour = COLOURS[index % COLOURS.length]
    const own = points.filter((point) => point.line === line)
    const path = own.map(({ x, y }) => `${left(x)},${top(y)}`).join(" ")
    const label =
      `<text x="${WIDTH - RIGHT + 12}" y="${TOP + 16 + index * 20}" ` +
      `fill="${colour}">${line}, slope ${slopeOf(own).toFixed(1)}</text>`
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${label}`
  })
  const across = powersOf(xs).map(
    (x) =>
      `<line x1="${left(x)}" x2="${left(x)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" ` +
      `stroke="#ddd"/><text x="${left(x)}" y="${HEIGHT - BOTTOM + 18}" ` +
      `text-anchor="middle">${x}</text>`,
  )
  const up = powersOf(ys).map(
    (y) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${top(y)}" y2="${top(y)}" ` +
      `stroke="#ddd"/><text x="${LEFT - 8}" y="${top(y)}" text-anchor="end" ` +
      `dominant-baseline="middle">${y} ms</text>`,
  )
  const below =
    `<text x="${LEFT + (WIDTH - LEFT - RIGHT) / 2}" y="${HEIGHT - 8}" ` +
    `text-anchor="middle">${title}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
    `font-family="sans-serif" font-size="13"><title>Times by the number of ` +
    `${title}</title><rect width="100%" height="100%" ` +
    `fill="white"/>${[...across, ...up, ...drawn].join("")}${below}</svg>\n`
  )
}

type Point = { readonly x: number; readonly y: number }

/** Of the straight line through the last points, by least squares in powers of ten. */
function slopeOf(points: readonly Point[]): number {
  const last = points.slice(-STEEP).map(({ x, y }) => [Math.log10(x), Math.log10(y)] as const)
  const mean = (part: 0 | 1): number =>
    last.reduce((sum, point) => sum + point[part], 0) / last.length
  const x = mean(0)
  const y = mean(1)
  const over = last.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return over / last.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}

const STEEP = 3

type Range = readonly [low: number, high: number]

/** Whole powers of ten around all values. */
function rangeOf(values: readonly number[]): Range {
  return [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
}

function powersOf([low, high]: Range): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
}
