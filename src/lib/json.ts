/**
 * JSON that keeps bigints: `{"$bigint":"12"}`. For what we write and read ourselves (journal, events).
 * Key order is kept as written, so that the same value gives the same text.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? { $bigint: item.toString() } : item,
  )
}

/** Reads what `encodeJson` wrote. */
export function decodeJson(text: string): unknown {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== "object" || item === null || !("$bigint" in item)) return item
    return BigInt(String(item.$bigint))
  })
}

/** Plain JSON for people and other programs: bigints become decimal strings. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), indent)
}
