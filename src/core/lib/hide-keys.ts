import { printableLine } from "./printable.ts"
import { trimEndOf } from "./trim-end.ts"

/**
 * Replaces the parts of an endpoint's URL that may be access keys, wherever they stand in a text:
 * servers repeat a request's path in their error pages. Names of versions and networks are shorter
 * than a key. The text is that of a node, so it becomes printable too, and only its first
 * `MOST_CHARACTERS` count: a node may answer millions. `secrets` are those beside the URL, such as
 * the values of headers.
 */
export function hideKeys(url: string, text: string, secrets: readonly string[] = []): string {
  const { username, password, pathname, searchParams } = new URL(url)
  const segments = pathname.split("/").filter((segment) => segment.length >= SHORTEST_KEY)
  const values = [...searchParams.values()].filter((value) => value.length >= SHORTEST_KEY)
  const keys = [username, password, ...segments, ...values, ...secrets].filter((key) => key !== "")
  // A server may repeat the header that the login became.
  const login = Buffer.from(`${decode(username)}:${decode(password)}`).toString("base64")
  const logins = username === "" && password === "" ? [] : [login, trimEndOf(login, "=")]
  const forms = keys.flatMap((key) => [key, decode(key), encodeURIComponent(key)])
  const written = new Set([...logins, ...forms])
  const longestFirst = [...written].toSorted((a, b) => b.length - a.length)
  const start = printableLine(text.slice(0, MOST_CHARACTERS))
  const hidden = longestFirst.reduce((shown, key) => shown.replaceAll(key, "***"), start)
  // The cut may have left the beginning of a key at the end.
  return text.length <= MOST_CHARACTERS ? hidden : hidden.slice(0, -(longestFirst[0]?.length ?? 1))
}

const SHORTEST_KEY = 10
const MOST_CHARACTERS = 20_000

/** A text with a stray percent sign decodes to itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
