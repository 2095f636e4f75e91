import { roundTicks } from "#backtest/plot/axis.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Times of this place that are easy to read: hours, days or weeks, about `count` of them. */
export function timeTicks(
  fromMs: number,
  toMs: number,
  count = 5,
): readonly { readonly ms: number; readonly label: string }[] {
  const stepMs = STEPS_MS.find((step) => (toMs - fromMs) / step <= count) ?? 365 * DAY_MS
  const shiftMs = new Date(fromMs).getTimezoneOffset() * 60_000
  const first = Math.ceil((fromMs - shiftMs) / stepMs) * stepMs + shiftMs
  const ticks = Array.from(
    { length: Math.max(0, Math.floor((toMs - first) / stepMs) + 1) },
    (_, index) => first + index * stepMs,
  )
  return ticks.map((ms) => ({ ms, label: labelOf(ms, stepMs, toMs - fromMs) }))
}

const STEPS_MS = [
  ...[1 / 60, 1 / 12, 1 / 4, 1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 30, 91].map((days) => days * DAY_MS),
]

function labelOf(ms: number, stepMs: number, spanMs: number): string {
  const date = new Date(ms)
  if (stepMs < DAY_MS)
    return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
  if (spanMs <= 8 * DAY_MS) return date.toLocaleDateString("en-GB", { weekday: "short" })
  return date.toLocaleDateString("en-GB", { day: "2-digit", month: "short" })
}

/** Round values of an axis, two to four, where its ends are as `widen` gives them. */
export function fewTicks(low: number, high: number): readonly number[] {
  const tries = [2, 3, 4, 5].map((count) => roundTicks(low, high, count))
  return tries.find(({ length }) => length >= 2) ?? tries[0] ?? []
}

/** The ends of an axis with room on both sides, and for two values of six digits at least. */
export function widen(low: number, high: number, part: number): readonly [number, number] {
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const finest = largest === 0 ? 0 : 10 ** (Math.floor(Math.log10(largest)) - 5)
  const margin = Math.max((high - low) * part, 2 * finest)
  const room = high === low ? Math.max(largest * 0.05, margin) : margin
  return room === 0 ? [-0.1, 1] : [low - room, high + room]
}
