import { parseNumerals } from "#lib/peer-json.ts"

/**
 * Reads JSON without losing a digit: a number that JavaScript prints differently (64- and 256-bit
 * integers, exponents, trailing zeros) stays text. Throws `SyntaxError`, also for nesting deeper
 * than `MAX_DEPTH`.
 */
export function parseWireJson(text: string): unknown {
  if (nestedTooDeeply(text))
    throw new SyntaxError(`more than ${MAX_DEPTH} brackets inside each other`)
  return parseNumerals(text, isExact)
}

/** Writes JSON; a bigint becomes a number with all its digits, as a u64 on the wire. */
export function encodeWireJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? rawJson(String(item)) : item,
  )
}

// CAST: `JSON.rawJSON` is part of ECMAScript 2026 and of Node since 22; the TypeScript library does
// not declare it yet.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown }

const MAX_DEPTH = 64

function isExact(numeral: string): boolean {
  const value = Number(numeral)
  return String(value) === numeral && (Number.isSafeInteger(value) || !Number.isInteger(value))
}

/**
 * Counts brackets outside strings, in one pass over the text: a pattern that looks for whole
 * strings takes quadratic time where their end is missing. Deep nesting would exhaust the stack of
 * every function that walks the value.
 */
function nestedTooDeeply(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString && character === "\\") at++
    else if (character === '"') inString = !inString
    else if (inString) continue
    else if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
