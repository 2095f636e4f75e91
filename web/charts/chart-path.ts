import type { Series } from "../answers.ts"

type Point = Series["points"][number]

/** A balance holds until the next reading, so the line has steps; a gap interrupts it. */
export function pathOf(
  points: readonly Point[],
  end: string,
  x: (at: string) => number,
  y: (amount: number) => number,
): string {
  const parts = points.map(({ at, amount }, index) => {
    if (amount === null) return ""
    const before = points[index - 1]?.amount ?? null
    const toX = x(points[index + 1]?.at ?? end)
    const start = before === null ? `M${x(at)} ${y(Number(amount))}` : `V${y(Number(amount))}`
    return `${start}H${toX}`
  })
  return parts.join("")
}

/** The times without a reading, also before the first one. */
export function gapsOf(
  points: readonly Point[],
  end: string,
): readonly { readonly start: string; readonly end: string }[] {
  return points.flatMap(({ at, amount }, index) =>
    amount === null ? [{ start: at, end: points[index + 1]?.at ?? end }] : [],
  )
}

/** The reading that held at a time; `null` in a gap. */
export function readingAt(points: readonly Point[], ms: number): string | null {
  return points.findLast(({ at }) => Date.parse(at) <= ms)?.amount ?? null
}

type Bound = NonNullable<Series["bands"][number]["bound"]>

/** The bands within a span, each to the next one; a time without a band has none. */
export function bandSpans(
  bands: Series["bands"],
  startMs: number,
  endMs: number,
): readonly { readonly bound: Bound; readonly startMs: number; readonly endMs: number }[] {
  return bands.flatMap(({ from, bound }, index) => {
    const next = bands[index + 1]
    const span = {
      startMs: Math.max(startMs, Date.parse(from)),
      endMs: Math.min(endMs, next === undefined ? endMs : Date.parse(next.from)),
    }
    return bound === null || span.startMs >= span.endMs ? [] : [{ bound, ...span }]
  })
}
