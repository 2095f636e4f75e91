/** A duration in the configuration: a whole number and one unit. */
export const DURATION_PATTERN = /^(\d{1,12})(ms|s|m|h|d)$/

/** Longer than every useful duration; it keeps milliseconds within the exact integers. */
const MAX_MS = 100 * 365 * 86_400_000

const UNITS = [
  { unit: "d", ms: 86_400_000 },
  { unit: "h", ms: 3_600_000 },
  { unit: "m", ms: 60_000 },
  { unit: "s", ms: 1_000 },
  { unit: "ms", ms: 1 },
] as const

/**
 * The milliseconds of `"500ms" "30s" "1m" "6h" "7d"`; `null` for another form, and for more than a
 * hundred years.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text)
  const unit = UNITS.find((candidate) => candidate.unit === match?.[2])
  if (!match || !unit) return null
  const ms = Number(match[1]) * unit.ms
  return ms <= MAX_MS ? ms : null
}

/** The shortest text that `parseDuration` reads back into the same milliseconds. */
export function formatDuration(ms: number): string {
  const unit = UNITS.find((candidate) => ms % candidate.ms === 0)
  return ms === 0 || !unit ? `${ms}ms` : `${ms / unit.ms}${unit.unit}`
}
