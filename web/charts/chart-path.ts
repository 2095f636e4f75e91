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
