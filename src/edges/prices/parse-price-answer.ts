import { FIAT_DECIMALS } from "#domain/amount.ts"
import { parseNumerals } from "#lib/peer-json.ts"
import { printableLine } from "#lib/printable.ts"

/** A price server's clock may be ahead of ours by this much. */
const MAX_AHEAD_MS = 60_000

/**
 * Reads the price from one JSON answer: fiat millionths, above zero, truncated after the sixth
 * digit. Throws an `Error` with one phrase about the fault; the caller adds the source.
 */
export function parsePriceAnswer(
  text: string,
  source: { readonly path: string; readonly timePath: string | null; readonly maxAgeMs: number },
  nowMs: number,
): bigint {
  const answer = parseJson(text)
  if (source.timePath !== null) {
    const time = readAt(answer, source.timePath, "no time")
    checkAge(parseTime(time, source.timePath), source.maxAgeMs, nowMs)
  }
  return parsePrice(readAt(answer, source.path), source.path)
}

/** Throws an `Error` for a price that is too old, or from the future. */
export function checkAge(atMs: number, maxAgeMs: number, nowMs: number): void {
  const ageMs = nowMs - atMs
  if (ageMs > maxAgeMs) throw new Error(`the price is ${Math.ceil(ageMs / 1_000)} s old`)
  if (ageMs < -MAX_AHEAD_MS)
    throw new Error(`the price is from the future, ${Math.ceil(-ageMs / 1_000)} s ahead`)
}

/** Keeps every number as its source text, so that no digit is lost. */
export function parseJson(text: string): unknown {
  try {
    return parseNumerals(text, () => false)
  } catch (cause) {
    // Nesting deeper than the stack throws a RangeError.
    throw new Error("the answer is not JSON", { cause })
  }
}

export function readAt(answer: unknown, path: string, missing = "nothing"): string {
  let at = answer
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
      throw new MissingPrice(`${missing} at ${path}`, findComplaint(answer))
    }
    at = Reflect.get(at, key)
  }
  if (typeof at !== "string") throw new Error(`neither number nor text at ${path}`)
  return at
}

/** `said`: the server's own words, which may repeat the secrets of its address. */
export class MissingPrice extends Error {
  readonly #said: string | null

  constructor(fault: string, said: string | null) {
    super(fault)
    this.#said = said
  }

  /** The fault with the server's words, as `hide` shows them. */
  tell(hide: (text: string) => string): Error {
    if (this.#said === null) return this
    const said = printableLine(hide(this.#said)).slice(0, MOST_WORDS)
    return new Error(`${this.message}; it says: ${said}`)
  }
}

const MOST_WORDS = 120

/** The server's own words in place of a price, under a name such as `error_message`. */
function findComplaint(answer: unknown, depth = 0): string | null {
  if (typeof answer !== "object" || answer === null || depth > 2) return null
  const entries = Object.entries(answer).slice(0, MOST_ENTRIES)
  for (const [name, value] of entries) if (COMPLAINT.test(name) && isWords(value)) return value
  return entries.flatMap(([, value]) => findComplaint(value, depth + 1) ?? [])[0] ?? null
}

const COMPLAINT = /err|message|^msg$|detail|reason|note|information/i
const MOST_ENTRIES = 20

/** Numbers are texts here too, and no words. */
function isWords(value: unknown): value is string {
  return typeof value === "string" && /[a-z]{2}/i.test(value)
}

/** An exponent is exact too: `6.5e4`. */
export function parsePrice(text: string, path: string): bigint {
  const match = /^(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (!match) throw new Error(`${JSON.stringify(text.slice(0, 40))} at ${path} is no price`)
  const fraction = match[2] ?? ""
  const digits = BigInt(`${match[1]}${fraction}`)
  const shift = Number(match[3] ?? "0") - fraction.length + FIAT_DECIMALS
  const fiat = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  if (fiat === 0n) throw new Error(`the price at ${path} is zero`)
  const isExact = shift >= 0 || digits % 10n ** BigInt(-shift) === 0n
  // Below a thousand millionths, truncation could lose more than a tenth of a percent.
  if (!isExact && fiat < 1_000n)
    throw new Error(`the price at ${path} is too small to be counted in millionths`)
  return fiat
}

/** Unix seconds, Unix milliseconds (from 10^11 on), or ISO 8601 with its zone. */
export function parseTime(text: string, path: string): number {
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text))
    return Number(text) >= 1e11 ? Number(text) : Number(text) * 1_000
  const timeMs = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(timeMs)) throw new Error(`no time at ${path}`)
  return timeMs
}
