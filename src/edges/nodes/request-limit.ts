import type { Clock } from "#lib/clock.ts"

/** How providers write of a limit of requests in the text of a node's error. */
export const LIMIT_TEXT = new RegExp(
  [
    "rate.?limit",
    "too many requests",
    "requests? ?(per |/ ?)(second|minute|day)",
    "calls per (second|minute|day)",
    "(request|call) (limit|allowance)",
    "(daily|monthly|hourly) limit",
    "quota",
    "throttl",
    "concurrent requests",
    "\\brps\\b",
    "capacity limit",
    "max usage",
    "credits",
    "throughput",
    "compute units per",
  ].join("|"),
  "i",
)

/** Fit for a server whose answers speak of other limits too, such as those of an amount. */
export const PLAIN_LIMIT = /too many requests|\brate.?limit(ed|ing|s| exceeded| reached)/i

/** Such as an exchange that bans an address which has gone on after 429. */
const LIMIT_STATUS: readonly number[] = [418, 429]

type Answered = { readonly status: number; readonly text: string }

/**
 * Whether an answer refuses the request because of their number: by its status, or by its words
 * where it is an error. Pure.
 */
export function isLimitAnswer({ status, text }: Answered, words = PLAIN_LIMIT): boolean {
  if (LIMIT_STATUS.includes(status)) return true
  if (status >= 500) return false
  const start = text.slice(0, MOST_WORDS).trimStart()
  return (status >= 400 || isError(start)) && words.test(start)
}

/** The words of a limit in the error of a JSON-RPC answer; `null` for any other answer. */
export function findToldLimit(text: string): string | null {
  if (text.length > MOST_WORDS || !text.includes('"error"') || text.includes('"result"'))
    return null
  return LIMIT_TEXT.test(text) || /"code":\s*"?429\b/.test(text) ? text : null
}

/** The words of a refusal, without the secrets that `hide` removes; empty without any. */
export function sayLimit(text: string, hide: (text: string) => string): string {
  const start = text.slice(0, MOST_WORDS).trim()
  const [, told = null] = /"(?:message|error)"\s*:\s*"([^"]{1,400})/.exec(start) ?? []
  const plain = /^["{[<]/.test(start) || start.length > SHORT_TEXT ? "" : start
  return hide(told ?? plain).slice(0, MOST_SAID)
}

const MOST_SAID = 160

/** A short text, or JSON that begins with its error and has no result. */
function isError(text: string): boolean {
  if (/^["{[\d<]/.test(text))
    return /^\{\s*"(error|errors|message)"/.test(text) && !text.includes('"result"')
  return text.length <= SHORT_TEXT
}

const MOST_WORDS = 4_000
const SHORT_TEXT = 200

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The wait that an answer asks for, up to an hour; `null` for none: by `Retry-After`, and after a
 * limit of requests also by the headers and words that providers use in its place. A time counts by
 * the server's own clock where the answer shows it.
 */
export function readAskedPause(
  headers: Headers,
  { status, readText }: { readonly status: number; readonly readText: () => string },
  clock: Pick<Clock, "now">,
): number | null {
  const serverMs = Date.parse(firstOf(headers["date"]) ?? "")
  const now = (): number => (Number.isNaN(serverMs) ? clock.now() : serverMs)
  const asked = readRetryAfter(headers["retry-after"], { now })
  if (asked !== null || !LIMIT_STATUS.includes(status)) return asked
  const resets = RESETS.flatMap((name) => readReset(headers[name], { now }) ?? [])
  return resets[0] ?? readWrittenPause(readText())
}

/** In seconds, or until a date (RFC 9110 §10.2.3), also without its zone. */
export function readRetryAfter(header: unknown, clock: Pick<Clock, "now">): number | null {
  const text = firstOf(header)
  if (text === null) return null
  const [, seconds] = /^(\d{1,40}(?:\.\d+)?) ?s?$/.exec(text) ?? []
  return seconds === undefined ? readDate(text, clock) : readNumber(Number(seconds), clock)
}

function readDate(text: string, clock: Pick<Clock, "now">): number | null {
  const date = Date.parse(/GMT|UTC|Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text} GMT`)
  return bounded(date - clock.now())
}

const RESETS = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset", "ratelimit"]

/** Seconds, or a time in seconds or milliseconds (draft-ietf-httpapi-ratelimit-headers). */
function readReset(header: unknown, clock: Pick<Clock, "now">): number | null {
  const text = firstOf(header) ?? ""
  const [, digits] = /(?:^|\bt=|\breset=)(\d{1,40})(?=$|[\s.,;])/.exec(text) ?? []
  return digits === undefined ? readDate(text, clock) : readNumber(Number(digits), clock)
}

function readNumber(value: number, clock: Pick<Clock, "now">): number | null {
  if (value < LEAST_TIME_S) return bounded(value * 1_000)
  return bounded(value * (value < LEAST_TIME_S * 1_000 ? 1_000 : 1) - clock.now())
}

/** In seconds since 1970: no pause is so long. */
const LEAST_TIME_S = 1e9

/** Chats and providers name the pause in the body, as a field or in words. */
export function readWrittenPause(text: string): number | null {
  const start = text.slice(0, MOST_WORDS)
  const [, name = "", value] = FIELD.exec(start) ?? []
  if (value !== undefined) return bounded(Number(value) * (/ms$/i.test(name) ? 1 : 1_000))
  const [, count, unit = "s"] = SENTENCE.exec(start) ?? []
  if (count === undefined) return null
  const [, unitMs = 1_000] = UNITS.find(([pattern]) => pattern.test(unit)) ?? []
  return bounded(Number(count) * unitMs)
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^ms|^milli/i, 1],
  [/^m/i, 60_000],
  [/^[hd]/i, 3_600_000],
]

const FIELD =
  /"(retry_?after(?:_?ms|_?seconds)?|backoff_seconds)"\s*:\s*"?(\d{1,9}(?:\.\d{1,9})?)\b/i
const UNIT = "ms|milli\\w*|m(?:in\\w*)?|s(?:ec\\w*)?|h(?:(?:ou)?rs?)?|d(?:ays?)?"
const SENTENCE = new RegExp(
  `(?:retry|try again|wait)(?: in| after| for)? (\\d{1,6}(?:\\.\\d{1,6})?) ?(${UNIT})?(?![a-z])`,
  "i",
)

function firstOf(header: unknown): string | null {
  const [first] = Array.isArray(header) ? header : [header]
  if (typeof first !== "string") return null
  return /^\d[\d.]*,/.test(first.trim()) ? (first.split(",")[0] ?? "").trim() : first.trim()
}

function bounded(waitMs: number): number | null {
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.min(Math.ceil(waitMs), LONGEST_WAIT_MS) : null
}

const LONGEST_WAIT_MS = 3_600_000
