import { MOST_DEPTH, MOST_NUMERAL, type Reviver } from "#lib/peer-json.ts"
import { AnswerTooLarge } from "#lib/read-body.ts"

/**
 * Looks at the bytes of a JSON text while they arrive, and throws `GiantJson` at the first one that
 * no answer of ours has: before the text is whole, and long before anything parses it. The time of
 * a parse follows from the number of marks, so one large hostile answer would stop the process for
 * seconds.
 */
export function createJsonScan(
  mostBytes: number,
  mostMarks = mostBytes / BYTES_PER_MARK,
): (chunk: Uint8Array) => void {
  const mostString = mostBytes / STRINGS
  let depth = 0
  let marks = 0
  let numeral = 0
  let string = 0
  let isString = false
  let isEscaped = false

  /** `undefined`: the chunk ends inside of the text. */
  function readString(byte: number | undefined): void {
    string += byte === undefined ? 0 : 1
    if (string > mostString) throw new GiantJson(`a text larger than ${mostString} bytes`)
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) isString = false
  }

  function readMark(byte: number): void {
    numeral = depth > 0 && isOfNumeral(byte) ? numeral + 1 : 0
    if (numeral > MOST_NUMERAL)
      throw new GiantJson(`a number of more than ${MOST_NUMERAL} characters`)
    if (byte === QUOTE) {
      isString = true
      string = 0
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    // A parse takes long for many digits, and an answer of ours has few numbers of more than these.
    else if (byte !== COMMA && byte !== COLON && numeral <= USUAL_NUMERAL) return
    marks += 1
    if (depth > MOST_DEPTH) throw new GiantJson(`more than ${MOST_DEPTH} levels`)
    if (marks > mostMarks) throw new GiantJson(`more than ${Math.floor(mostMarks)} values`)
  }

  return (chunk) => {
    let quote = -1
    let backslash = -1
    for (let at = 0; at < chunk.length; at += 1) {
      // Most bytes are inside of texts, and only these two marks count there.
      if (isString && !isEscaped) {
        quote = placeOf(chunk, QUOTE, at, quote)
        backslash = placeOf(chunk, BACKSLASH, at, backslash)
        const next = Math.min(quote, backslash)
        string += next - at
        at = next
      }
      const byte = chunk[at]
      if (isString) readString(byte)
      else if (byte !== undefined) readMark(byte)
    }
  }
}

/** The next place of a byte, or the chunk's end. `known`: the last answer for an earlier place. */
function placeOf(chunk: Uint8Array, byte: number, from: number, known: number): number {
  if (known >= from) return known
  const at = chunk.indexOf(byte, from)
  return at < 0 ? chunk.length : at
}

/**
 * The value of a text that the scan has let through. Other checks of it, such as those of
 * `parsePeerJson`, would take ten times as long as this.
 */
export function parseScanned(text: string, revive?: Reviver): unknown {
  // CAST: see `parsePeerJson`.
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}

/** JSON that is longer, wider or deeper than any answer of ours. */
export class GiantJson extends AnswerTooLarge {
  override readonly name = "GiantJson"
}

/** One text has at most this part of the bytes: the longest is a program in an account's data. */
const STRINGS = 4
/** Honest answers are mostly hashes and addresses. */
const BYTES_PER_MARK = 64

const USUAL_NUMERAL = 40

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A digit, or one of `+-.eE`. */
function isOfNumeral(byte: number): boolean {
  if (byte >= 0x30 && byte <= 0x39) return true
  return byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45 || byte === 0x65
}

/**
 * An answer to a path is JSON, or bare text for a hash or raw bytes. All-digit hex stays text: it
 * is longer than any number.
 */
export function parsePathAnswer(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed.length >= 32 && isHex(trimmed)) return trimmed
  try {
    return parseScanned(trimmed)
  } catch {
    return trimmed
  }
}

/** A pattern that must match a whole text of millions of digits overflows the stack. */
export function isHex(text: string): boolean {
  return !/[^0-9a-f]/i.test(text)
}
