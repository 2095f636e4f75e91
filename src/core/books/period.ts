import { AppError } from "#lib/app-error.ts"

/** `fromMs` is inclusive, `untilMs` exclusive. */
export type Period = { readonly fromMs: number; readonly untilMs: number }

const DAY_MS = 86_400_000
const SPANS: Readonly<Record<string, number>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
}

/**
 * Reads a period. `day`, `week` and `month` end now. `FROM..TO` are dates or times (ISO 8601, UTC);
 * either may be absent, and a date as TO includes its day. Throws `cli.usage_period` (refused).
 */
export function parsePeriod(text: string, nowMs: number): Period {
  const span = SPANS[text]
  if (span !== undefined) return { fromMs: nowMs - span, untilMs: nowMs }
  const [from, to, ...rest] = text.split("..")
  if (from === undefined || to === undefined || rest.length > 0) throw badPeriod(text)
  return parseSpan(from, to)
}

/**
 * The same from the two ends; an empty text leaves that end open. Throws `cli.usage_period`
 * (refused), also for an end that is not after the start.
 */
export function parseSpan(from: string, to: string): Period {
  const fromMs = from === "" ? 0 : parseInstant(from)
  const untilMs =
    to === "" ? Number.MAX_SAFE_INTEGER : parseInstant(to) + (DATE.test(to) ? DAY_MS : 0)
  if (fromMs < untilMs) return { fromMs, untilMs }
  throw refused(
    `The period ${from}..${to} ends before it begins; give the earlier time first`,
    `${from}..${to}`,
  )
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/

function parseInstant(text: string): number {
  const zoned = DATE.test(text) || /(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`
  const ms = DATE.test(text) || INSTANT.test(text) ? Date.parse(zoned) : Number.NaN
  const day = text.slice(0, 10)
  // `Date.parse` reads the 30th of February as the 2nd of March.
  if (Number.isNaN(ms) || new Date(Date.parse(day)).toISOString().slice(0, 10) !== day)
    throw badPeriod(text)
  return ms
}

function badPeriod(text: string): AppError {
  return refused(
    `"${text}" is not a period; expected day, week, month, or FROM..TO such as ` +
      "2026-01-01..2026-03-31",
    text,
  )
}

function refused(message: string, text: string): AppError {
  return new AppError({
    code: "cli.usage_period",
    disposition: "refused",
    message,
    details: { text },
  })
}
