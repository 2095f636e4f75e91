import { nearestName } from "#lib/nearest-name.ts"

/** The sentence about the first field that the form does not have; `null` without one. */
export function findUnknownField(request: unknown, known: readonly string[]): string | null {
  if (typeof request !== "object" || request === null) return null
  const unknown = Object.keys(request).find((name) => !known.includes(name))
  return unknown === undefined ? null : describeUnknown("field", unknown, known)
}

export function describeUnknown(what: string, name: string, known: readonly string[]): string {
  const near = nearestName(name.slice(0, 80), known)
  const hint = near === null ? "" : ` (did you mean ${near}?)`
  const all = known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`
  return `This request has no ${what} ${showName(name)}${hint}; ${all}`
}

export function showName(name: string): string {
  return `"${name.slice(0, 80)}"`
}
