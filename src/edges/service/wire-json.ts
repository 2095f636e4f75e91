import { parseNumerals } from "#lib/peer-json.ts"

/**
 * Reads JSON without losing a digit: a number that JavaScript prints differently (64- and 256-bit
 * integers, exponents, trailing zeros) stays text. Throws `SyntaxError`, also for nesting deeper
 * than `MAX_DEPTH`.
 */
export function parseWireJson(text: string): unknown {
  return parseNumerals(text, isExact, MAX_DEPTH)
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

/** No number of JavaScript has more characters. */
const MOST_EXACT = 24

function isExact(numeral: string): boolean {
  if (numeral.length > MOST_EXACT) return false
  const value = Number(numeral)
  return String(value) === numeral && (Number.isSafeInteger(value) || !Number.isInteger(value))
}
