/** The external flow of an asset on a day: what came and went without orders of ours. */
export type DayFlow = {
  /** Days since 1970. */
  readonly day: number
  readonly units: bigint
  /** How many changes the day had; absent for one. */
  readonly changes?: number
}

/**
 * The flow to expect, in smallest units. Estimates, so plain numbers: no payment is made of them.
 */
export type FlowForecast = {
  /** By the remainder of the day's number after division by 7. */
  readonly means: readonly number[]
  /** By how much a day differs from its mean; each is as probable as the others. */
  readonly residuals: readonly number[]
  /** The changes of a usual day. */
  readonly changes: number
}

/** Older days say little about the next one. */
export const FORECAST_DAYS = 56

/** With fewer days there is no forecast: a wrong one costs more than none. */
export const LEAST_DAYS = 14

/**
 * Means of the weekdays, shrunk by their evidence: a weekday that differs by no more than chance
 * has the common mean, and a common mean that could be chance is zero. `null` where there is too
 * little to go by, or where nothing flows.
 */
export function forecastFlow(days: readonly DayFlow[], today: number): FlowForecast | null {
  const known = days
    .filter(({ day }) => day > today - FORECAST_DAYS && day <= today)
    .map(({ day, units, changes = 1 }) => ({ weekday: day % 7, size: Number(units), changes }))
  if (known.length < LEAST_DAYS || known.every(({ size }) => size === 0)) return null
  const mean = meanOf(known.map(({ size }) => size))
  const groups = Array.from({ length: 7 }, (_, weekday) =>
    known.filter((one) => one.weekday === weekday).map(({ size }) => size),
  )
  const noise = noiseOf(groups)
  const common = mean * trust(mean ** 2 - 2 * (noise / known.length), noise / known.length)
  const between = betweenOf(groups, mean, noise)
  const means = groups.map((sizes) =>
    sizes.length === 0
      ? common
      : common + (meanOf(sizes) - mean) * trust(between, noise / sizes.length),
  )
  const rests = known.map(({ weekday, size }) => size - (means[weekday] ?? 0))
  // Without the mean that chance explains, which is in every residual.
  const off = meanOf(rests)
  const changes = meanOf(known.map((one) => one.changes))
  return { means, residuals: rests.map((rest) => rest - off), changes }
}

/** The variance of days around the mean of their weekday. */
function noiseOf(groups: readonly (readonly number[])[]): number {
  const known = groups.filter((sizes) => sizes.length > 0)
  const squares = known.map((sizes) => sumOf(sizes.map((size) => (size - meanOf(sizes)) ** 2)))
  const days = sumOf(known.map((sizes) => sizes.length))
  return sumOf(squares) / Math.max(1, days - known.length)
}

/** How much the true means of the weekdays vary, beyond what the noise of their days explains. */
function betweenOf(groups: readonly (readonly number[])[], mean: number, noise: number): number {
  const known = groups.filter((sizes) => sizes.length > 0)
  return meanOf(known.map((sizes) => (meanOf(sizes) - mean) ** 2 - noise / sizes.length))
}

/** The part of an estimate to believe. */
function trust(signal: number, error: number): number {
  return signal <= 0 ? 0 : signal / (signal + error)
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

const DAY_MS = 24 * 60 * 60_000

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

export function startOfDay(day: number): number {
  return day * DAY_MS
}

/** The whole days before today, from the first change on; days without a change count too. */
export function sumDays(
  changes: readonly { readonly atMs: number; readonly units: bigint }[],
  today: number,
): DayFlow[] {
  const sums = new Map<number, bigint>()
  const counts = new Map<number, number>()
  for (const { atMs, units } of changes) {
    const day = dayOf(atMs)
    sums.set(day, (sums.get(day) ?? 0n) + units)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  const first = Math.max(Math.min(today, ...sums.keys()), today - FORECAST_DAYS)
  return Array.from({ length: today - first }, (_, index) => ({
    day: first + index,
    units: sums.get(first + index) ?? 0n,
    changes: counts.get(first + index) ?? 0,
  }))
}
