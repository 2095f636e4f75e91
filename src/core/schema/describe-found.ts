/**
 * A value in a form that an error may show. Of a long text it shows only the length: a private key
 * in the place of an address must not get into a log, nor the access token in a URL.
 */
export function describeFound(value: unknown): string {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "a map"
  if (typeof value === "number") return describeNumber(value)
  if (typeof value !== "string") return String(value)
  return value.length <= 30 && !value.includes("://")
    ? JSON.stringify(value)
    : `a text of ${value.length} characters`
}

function describeNumber(value: number): string {
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? `the number ${value}`
    : "a large number (put addresses and keys in quotes)"
}
