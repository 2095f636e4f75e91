/**
 * Reads the transaction ids of a hint: `txid:height`, comma-joined for several deposits (field notes of the interface),
 * or bare ids.
 */
export function txidsIn(hint: string | null): readonly string[] {
  const ids = (hint ?? "").split(",").map((part) => /^\s*(?:0x)?([0-9a-f]{64})(?![0-9a-f])/i.exec(part)?.[1])
  return [...new Set(ids.flatMap((id) => (id === undefined ? [] : [id.toLowerCase()])))].slice(0, MAX_HINTS)
}

/** The service writes the hints, and a long one must not make us ask for thousands of transactions. */
const MAX_HINTS = 8
