/**
 * Parses a peer's JSON, in which no number is longer than any value of ours: making an integer of
 * millions of digits, or printing it in an error, would stop the process for seconds. Throws
 * `SyntaxError` for text that is not JSON or nested too deep, and `GiantNumber`. The one reader of
 * such texts; a family adds its own rule for numbers in strings by `refuseGiants`.
 *
 * `revive` is that of `JSON.parse`.
 */
export function parsePeerJson(text: string, revive?: Reviver): unknown {
  refuseHostile(text, MOST_DEPTH)
  // CAST: Node 24 passes the source text to the reviver (ECMAScript 2026); the library types do not
  // declare it yet.
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}

/**
 * The same, with the digits of each number that `isExact` denies as a text. A reviver would take
 * ten times as long, and so would a parse of the numbers: a wide answer would stop the process.
 */
export function parseNumerals(
  text: string,
  isExact: (numeral: string) => boolean,
  mostDepth = MOST_DEPTH,
): unknown {
  refuseHostile(text, mostDepth)
  return JSON.parse(quoteNumerals(text, isExact))
}

function refuseHostile(text: string, mostDepth: number): void {
  if (GIANT.test(text)) throw new GiantNumber(`a number of more than ${MOST_NUMERAL} characters`)
  if (isTooDeep(text, mostDepth)) throw new SyntaxError(`JSON with more than ${mostDepth} levels`)
}

/** What is no number of JSON, or stands in the place of a name, stays as it is. */
function quoteNumerals(text: string, isExact: (numeral: string) => boolean): string {
  const pattern = new RegExp(NUMERAL, "y")
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      pattern.lastIndex = at
      const [all = "-", numeral = "-", colon] = pattern.exec(text) ?? []
      if (colon === undefined && NUMBER.test(numeral) && !isExact(numeral)) {
        parts.push(text.slice(from, at), `"${numeral}"`)
        from = at + numeral.length
      }
      at += all.length - 1
    }
  }
  return parts.join("") + text.slice(from)
}

const NUMERAL = /([\d.eE+-]+)\s*(:)?/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i
const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

/** What reads a value walks into it level by level, and a stack has an end. */
export const MOST_DEPTH = 200

function isTooDeep(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") depth--
    if (depth > most) return true
  }
  return false
}

/** The place of the closing quote; the end of the text without one. */
function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    let slashes = 0
    while (text[end - 1 - slashes] === "\\") slashes++
    if (slashes % 2 === 0) return end
  }
}

/** `context.source` is the text of a primitive, in Node since 22. */
export type Reviver = (
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown

/**
 * Throws `GiantNumber` where a text that stands for a number is longer than one can be. `key` names
 * the place of `value`.
 */
export function refuseGiants(value: unknown, isNumber: IsNumber, key = ""): void {
  if (typeof value === "string" && value.length > MOST_HEX && isNumber(key, value)) {
    throw new GiantNumber(`a number of ${value.length} characters${key === "" ? "" : ` at ${key}`}`)
  }
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) for (const item of value) refuseGiants(item, isNumber, key)
  else for (const [name, item] of Object.entries(value)) refuseGiants(item, isNumber, name)
}

/**
 * Whether a text of more than `MOST_HEX` characters is meant as a number. The items of a list have
 * its key.
 */
export type IsNumber = (key: string, text: string) => boolean

/** Starts as a number does, and has more digits than any value of 256 bits. */
export function isGiantInteger(text: string): boolean {
  return /^0x/i.test(text) || (text.length > MOST_DECIMAL && /^-?\d+$/.test(text))
}

export class GiantNumber extends Error {
  override readonly name = "GiantNumber"
}

/** `0x` and the 64 digits of 256 bits. */
const MOST_HEX = 66
/** 2^256 has 78 digits. */
const MOST_DECIMAL = 78
/** A number outside quotes: services write prices with many digits. */
export const MOST_NUMERAL = 128
const GIANT = new RegExp(String.raw`(?:^|[[,:\s])-?\d[\d.eE+-]{${MOST_NUMERAL}}`)
