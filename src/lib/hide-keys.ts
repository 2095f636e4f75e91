import { printableLine } from "./printable.ts"

/**
 * Replaces the parts of an endpoint's URL that may be access keys, wherever they stand in a text: servers repeat a request's path in their
 * error pages. Names of versions and networks are shorter than a key. The text is that of a node, so it becomes printable too.
 */
export function hideKeys(url: string, text: string): string {
  const { username, password, pathname, searchParams } = new URL(url)
  const segments = pathname.split("/").filter((segment) => segment.length >= SHORTEST_KEY)
  const values = [...searchParams.values()].filter((value) => value.length >= SHORTEST_KEY)
  const keys = [username, password, ...segments, ...values].filter((key) => key !== "")
  const written = new Set(keys.flatMap((key) => [key, decode(key), encodeURIComponent(key)]))
  return [...written]
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, key) => shown.replaceAll(key, "***"), printableLine(text))
}

const SHORTEST_KEY = 10

/** A text with a stray percent sign decodes to itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
