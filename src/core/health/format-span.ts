const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * A span of time for a sentence: `40 s`, `12 min`, `3 h 20 min`, `5 d`. Rounded down; a negative
 * span counts as none.
 */
export function formatSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d`
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
  return `${Math.floor(ms / HOUR_MS)} h${minutes === 0 ? "" : ` ${minutes} min`}`
}

/** A moment for a person: `2026-03-04 09:30 UTC`. */
export function readableAt(ms: number): string {
  return Number.isFinite(ms)
    ? `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`
    : "an unknown time"
}

/** A moment of a decision for a person, from its ISO text: `2026-03-04 09:30:15 UTC`. */
export function formatSecond(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`
}
