import { withoutKnownKeys } from "./known-keys.ts"

/**
 * A text for a terminal. Services, contracts and nodes chose parts of many texts: control
 * characters could move the cursor, change the window's title or hide what was printed before. Tabs
 * and line ends stay, also CRLF (the line end of CSV, RFC 4180).
 */
export function printable(text: string): string {
  return withoutKnownKeys(text).replace(CONTROL, "\ufffd")
}

/** The same for a text of others within one line: a line end could forge the next line. */
export function printableLine(text: string): string {
  return withoutKnownKeys(text).replace(CONTROL_OR_LINE_END, "\ufffd")
}

/**
 * The fields of a log line: every text at any depth is printable. Objects of classes, such as
 * secrets and errors, print themselves.
 */
export function printableFields(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return printable(value)
  if (typeof value === "bigint") return value.toString()
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item: unknown) => printableFields(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [printable(key), printableFields(item, depth + 1)]),
  )
}

/**
 * JSON in which the same characters are escapes: the value is the same, and a terminal that shows
 * the text obeys none of them.
 */
export function printableJson(json: string): string {
  return withoutKnownKeys(json).replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

const MAX_DEPTH = 12

/**
 * C0 and C1 controls, the characters that reverse the direction of writing, and the line ends of
 * Unicode.
 */
const CONTROL = /(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const CONTROL_OR_LINE_END = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
