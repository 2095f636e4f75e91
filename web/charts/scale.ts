const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Round values from `low` to `high`, about `count` of them, with at most six digits each. */
export function roundTicks(low: number, high: number, count = 3): readonly number[] {
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const finest = 10 ** (Math.floor(Math.log10(largest)) - 5)
  const rough = Math.max((high - low) / count, finest)
  if (!(high > low)) return [low]
  // The logarithm of a power of ten may be a hair too low.
  const power = 10 ** Math.floor(Math.log10(rough * (1 + 1e-9)))
  const parts = power > 5 * finest ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10]
  const step = power * (parts.find((part) => part * power >= rough * (1 - 1e-9)) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

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

const PREFIXES = [
  [1_000_000_000, "G"],
  [1_000_000, "M"],
  [1_000, "k"],
] as const

/** A number of an axis in few characters, `1.2k`, but as many as tell it from its neighbours. */
export function axisNumber(value: number, step = value): string {
  const [size, letter] = PREFIXES.find(([least]) => Math.abs(value) >= least) ?? [1, ""]
  const digits = step === 0 ? 4 : Math.ceil(Math.log10(Math.abs(value / step) || 1)) + 3
  return `${Number((value / size).toPrecision(Math.max(4, Math.min(12, digits))))}${letter}`
}
