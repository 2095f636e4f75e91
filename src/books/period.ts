import { AppError } from "#lib/app-error.ts"

/** `fromMs` is inclusive, `untilMs` exclusive. */
export type Period = { readonly fromMs: number; readonly untilMs: number }

const DAY_MS = 86_400_000
const SPANS: Readonly<Record<string, number>> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS }

/**
 * Reads a period. `day`, `week` and `month` end now. `FROM..TO` are dates or times (ISO 8601, UTC); either may be absent, and a date as TO
 * includes its day.
 * Throws `cli.usage_period` (refused).
 */
export function parsePeriod(text: string, nowMs: number): Period {
  const span = SPANS[text]
  if (span !== undefined) return { fromMs: nowMs - span, untilMs: nowMs }
  const [from, to, ...rest] = text.split("..")
  if (from === undefined || to === undefined || rest.length > 0) throw badPeriod(text)
  return { fromMs: parseFrom(from), untilMs: parseUntil(to) }
}

export function parseFrom(text: string): number {
  return text === "" ? 0 : parseInstant(text)
}

export function parseUntil(text: string): number {
  if (text === "") return Number.MAX_SAFE_INTEGER
  return parseInstant(text) + (DATE.test(text) ? DAY_MS : 0)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/

function parseInstant(text: string): number {
  const zoned = DATE.test(text) || /(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`
  const ms = DATE.test(text) || INSTANT.test(text) ? Date.parse(zoned) : Number.NaN
  const day = text.slice(0, 10)
  // `Date.parse` reads the 30th of February as the 2nd of March.
  if (Number.isNaN(ms) || new Date(Date.parse(day)).toISOString().slice(0, 10) !== day) throw badPeriod(text)
  return ms
}

function badPeriod(text: string): AppError {
  return new AppError({
    code: "cli.usage_period",
    disposition: "refused",
    message: `"${text}" is not a period; expected day, week, month, or FROM..TO such as 2026-01-01..2026-03-31`,
    details: { text },
  })
}
