import { AppError } from "./app-error.ts"
import { remember } from "./remember.ts"

/**
 * JSON that keeps bigints as `{"$bigint":"12"}`, for text that only Ballast reads (journal,
 * events). The order of keys stays as written, so that the same value gives the same text. Written
 * by hand: every released journal has this format, and no library writes it.
 *
 * A foreign object may have such a key, for example in an answer of the service. Its key gets one
 * more `$`, which reading removes again.
 */
export function encodeJson(value: unknown): string {
  // CAST: as `JSON.stringify`, whose type leaves the missing text of a function or of undefined out
  // too.
  return write(value, "") as string
}

/**
 * `JSON.stringify` with a replacer takes three times as long. `undefined` for values that JSON
 * leaves out.
 */
function write(given: unknown, key: string): string | undefined {
  const value = typeof given === "object" && given !== null ? fromToJson(given, key) : given
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return JSON.stringify(value)
    case "bigint":
      return `{"${MARK}":"${value}"}`
    case "object":
      if (value === null) return "null"
      return Array.isArray(value) ? writeList(value) : writeObject(value)
    default:
      return undefined
  }
}

function writeList(list: readonly unknown[]): string {
  let text = "["
  for (let n = 0; n < list.length; n++)
    text += `${n === 0 ? "" : ","}${write(list[n], String(n)) ?? "null"}`
  return `${text}]`
}

function writeObject(value: object): string {
  let text = ""
  for (const key of Object.keys(value)) {
    const written = write(Reflect.get(value, key), key)
    if (written === undefined) continue
    text += `${text === "" ? "{" : ","}${keyText(key)}${written}`
  }
  return text === "" ? "{}" : `${text}}`
}

/** The same few keys come again and again. Keys of foreign objects must not fill the memory. */
const MOST_KEYS = 1_000

const keyText = remember(
  (key: string) => `${JSON.stringify(FOREIGN.test(key) ? `$${key}` : key)}:`,
  MOST_KEYS,
)

function fromToJson(value: object, key: string): unknown {
  const convert: unknown = Reflect.get(value, "toJSON")
  return typeof convert === "function" ? Reflect.apply(convert, value, [key]) : value
}

/**
 * Reads the text of `encodeJson`. Throws `journal.damaged` (hold) for text that it cannot have
 * written.
 */
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
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item),
    indent,
  )
}

const MARK = "$bigint"
/** Keys of foreign objects that look like our mark. */
const FOREIGN = /^\$+bigint$/

/**
 * Revives in place, innermost first: no other code holds the parsed value yet, and a reviver of
 * `JSON.parse` takes four times as long.
 */
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
  return Object.hasOwn(item, MARK) ? readBigint(item) : readForeignKeys(item)
}

function readBigint(item: object): bigint {
  const digits: unknown = Reflect.get(item, MARK)
  if (typeof digits === "string" && /^-?\d+$/.test(digits) && Object.keys(item).length === 1)
    return BigInt(digits)
  throw new SyntaxError(`no integer in ${MARK}`)
}

function readForeignKeys(item: object): unknown {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      /^\$\$+bigint$/.test(key) ? key.slice(1) : key,
      value,
    ]),
  )
}
