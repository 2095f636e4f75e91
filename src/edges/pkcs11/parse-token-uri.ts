/**
 * One key of one PKCS#11 token, as an RFC 7512 URI names it. At least one attribute of the token
 * and one of the key is given.
 */
export type TokenKeyReference = {
  /** The absolute path of the vendor's library. */
  readonly modulePath: string
  readonly token: TokenAttributes
  readonly slotId: number | null
  /** CKA_LABEL. */
  readonly object: string | null
  /** CKA_ID. */
  readonly id: Buffer | null
  /** `file:PATH` or `credential:NAME`; `null` for a token with a keypad of its own. */
  readonly pinSource: string | null
}

/** By their names in the URI; `null` for any value. */
type TokenAttributes = {
  readonly token: string | null
  readonly serial: string | null
  readonly manufacturer: string | null
  readonly model: string | null
}

export const TOKEN_SCHEME = "pkcs11:"

/**
 * Reads a key's URI, or says what is wrong with it. The text never repeats a value, because people
 * write PINs in the wrong place.
 */
export function parseTokenUri(uri: string): TokenKeyReference | string {
  const [path = "", query = "", ...rest] = uri.slice(TOKEN_SCHEME.length).split("?")
  if (!uri.startsWith(TOKEN_SCHEME) || rest.length > 0)
    return 'a URI such as "pkcs11:token=T;object=O?module-path=/P"'
  const found =
    readAttributes(path, ";", PATH_NAMES) ??
    "its path has an unknown, doubled or malformed attribute"
  if (typeof found === "string") return found
  if (/(^|&)pin-value=/.test(query))
    return "it must not hold the PIN (pin-value); write pin-source=file:PATH"
  const options = readAttributes(query, "&", QUERY_NAMES)
  if (options === null)
    return "after the question mark only module-path and pin-source can stand, once each"
  return toReference(found, options)
}

/** The same URI with another source of the PIN. Pure. */
export function withPinSource(uri: string, pinSource: string): string {
  return uri.replace(
    /([?&]pin-source=)[^&]*/,
    (_all, name: string) => `${name}${encodeURIComponent(pinSource)}`,
  )
}

const PATH_NAMES = [
  "token",
  "serial",
  "manufacturer",
  "model",
  "slot-id",
  "object",
  "id",
  "type",
] as const
const QUERY_NAMES = ["module-path", "pin-source"] as const

type Attributes = ReadonlyMap<string, Buffer>

function toReference(found: Attributes, options: Attributes): TokenKeyReference | string {
  const text = (name: string): string | null => found.get(name)?.toString("utf8") ?? null
  const modulePath = options.get("module-path")?.toString("utf8") ?? ""
  const pinSource = options.get("pin-source")?.toString("utf8") ?? null
  const slotId = text("slot-id")
  const type = text("type")
  const token = {
    token: text("token"),
    serial: text("serial"),
    manufacturer: text("manufacturer"),
    model: text("model"),
  }
  const namesToken = slotId !== null || Object.values(token).some((value) => value !== null)
  const checks: readonly (readonly [boolean, string])[] = [
    [modulePath.startsWith("/"), "it needs module-path=, the absolute path of the token's library"],
    [namesToken, "it names no token; add token=LABEL"],
    [found.has("object") || found.has("id"), "it names no key; add object=LABEL or id=%01"],
    [slotId === null || /^\d{1,10}$/.test(slotId), "its slot-id is not a number"],
    [type === null || type === "private", "its type must be private, or absent"],
    [
      pinSource === null || /^(file|credential):./s.test(pinSource),
      "its pin-source must be file:PATH or credential:NAME",
    ],
  ]
  const problem = checks.find(([isMet]) => !isMet)?.[1]
  if (problem !== undefined) return problem
  const object = text("object")
  const id = found.get("id") ?? null
  return {
    modulePath,
    token,
    slotId: slotId === null ? null : Number(slotId),
    object,
    id,
    pinSource,
  }
}

function readAttributes(
  text: string,
  separator: string,
  names: readonly string[],
): Attributes | null {
  const found = new Map<string, Buffer>()
  for (const part of text === "" ? [] : text.split(separator)) {
    const [, name = "", value = ""] = /^([a-z-]+)=(.+)$/s.exec(part) ?? []
    const bytes = decodePercent(value)
    if (!names.includes(name) || found.has(name) || bytes === null) return null
    found.set(name, bytes)
  }
  return found
}

/** The bytes of a percent-encoded text: an id is binary. */
function decodePercent(text: string): Buffer | null {
  if (/%(?![0-9a-f]{2})/i.test(text)) return null
  const parts = text.split(/(%[0-9a-f]{2})/i)
  return Buffer.concat(
    parts.map((part, at) =>
      at % 2 === 1 ? Buffer.from(part.slice(1), "hex") : Buffer.from(part, "utf8"),
    ),
  )
}
