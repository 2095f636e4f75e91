/**
 * A value as an error may show it. Long text is only measured: a key that was put where an address belongs must not end up in a
 * log, nor the access token that is part of some URLs.
 */
export function describeFound(value: unknown): string {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "a map"
  if (typeof value === "number") return describeNumber(value)
  if (typeof value !== "string") return String(value)
  return value.length <= 30 && !value.includes("://") ? JSON.stringify(value) : `a text of ${value.length} characters`
}

function describeNumber(value: number): string {
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? `the number ${value}`
    : "a large number (put addresses and keys in quotes)"
}
