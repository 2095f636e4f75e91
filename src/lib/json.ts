import { AppError } from "./app-error.ts"

/**
 * JSON that keeps bigints as `{"$bigint":"12"}`, for text that only Ballast reads (journal, events).
 * The order of keys stays as written, so that the same value gives the same text. Written by hand: every released journal has this format, and
 * no library writes it.
 *
 * A foreign object may have such a key, for example in an answer of the service. Its key gets one more `$`, which reading removes again.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return { [MARK]: item.toString() }
    return renameKeys(item, /^\$+bigint$/, (key) => `$${key}`)
  })
}

/** Reads the text of `encodeJson`. Throws `journal.damaged` (hold) for text that it cannot have written. */
export function decodeJson(text: string): unknown {
  try {
    return revive(JSON.parse(text))
  } catch (cause) {
    throw new AppError({
      code: "journal.damaged",
      disposition: "hold",
      message: "A stored text is damaged; restore a backup of the journal",
      details: { length: text.length },
      cause,
    })
  }
}

/** Plain JSON for people and other programs: bigints become decimal strings. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), indent)
}

const MARK = "$bigint"

/** Revives in place, innermost first: no other code holds the parsed value yet, and a reviver of `JSON.parse` takes four times as long. */
function revive(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null) return parsed
  // CAST: an array's indices are its keys.
  const item = parsed as Record<string, unknown>
  let isMarked = false
  for (const key of Object.keys(item)) {
    const value = item[key]
    if (typeof value === "object" && value !== null) item[key] = revive(value)
    isMarked ||= key.startsWith("$")
  }
  if (!isMarked) return item
  return Object.hasOwn(item, MARK) ? readBigint(item) : renameKeys(item, /^\$\$+bigint$/, (key) => key.slice(1))
}

function readBigint(item: object): bigint {
  const digits: unknown = Reflect.get(item, MARK)
  if (typeof digits === "string" && /^-?\d+$/.test(digits) && Object.keys(item).length === 1) return BigInt(digits)
  throw new SyntaxError(`no integer in ${MARK}`)
}

function renameKeys(item: unknown, keys: RegExp, rename: (key: string) => string): unknown {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return item
  // Runs for every written object, and a comparison of the first letter is faster than a pattern.
  if (!Object.keys(item).some((key) => key.startsWith("$"))) return item
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [keys.test(key) ? rename(key) : key, value]))
}
