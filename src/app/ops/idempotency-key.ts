/** The longest content of a key. */
const MOST_CHARACTERS = 255

/**
 * The content of the header `Idempotency-Key`: a quoted string of RFC 8941 (`"a1"`), as the IETF
 * draft asks, or the same characters without quotes. `null` for any other text: empty, longer than
 * 255 characters, or with other than visible ASCII and inner spaces.
 */
export function parseIdempotencyKey(header: string): string | null {
  const text = header.trim()
  if (!text.startsWith('"')) return isIdempotencyKey(text) ? text : null
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  if (inner === undefined) return null
  const content = inner.replace(/\\(["\\])/g, "$1")
  return isIdempotencyKey(content) ? content : null
}

/** The header's text for a key. */
export function formatIdempotencyKey(key: string): string {
  return `"${key.replace(/["\\]/g, "\\$&")}"`
}

export function isIdempotencyKey(key: string): boolean {
  return key.length <= MOST_CHARACTERS && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)
}

export const KEY_EXPECTED =
  "Expected an idempotency key of 1 to 255 visible ASCII characters, such as a UUID"
