/**
 * `a web page "502 Bad Gateway"`, with its title, which mostly says whose page it is; `null` of any
 * other text. `hide` removes secrets, which a page may repeat, before the title is cut: so no part
 * of one remains. Pure.
 */
export function describePage(text: string, hide: (text: string) => string): string | null {
  if (!text.trimStart().startsWith("<")) return null
  const head = hide(text).slice(0, MOST_HEAD)
  const [, title = ""] = /<title[^<>]{0,200}>([^<]{1,400})/i.exec(head) ?? []
  const shown = title
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return shown === "" ? "a web page" : `a web page "${shown.slice(0, MOST_TITLE)}"`
}

const MOST_HEAD = 4_096
const MOST_TITLE = 60

/**
 * The words of a server that refuses a request: the text of its JSON's `error`, `message` or
 * `detail`, or a short plain text; `null` without one. `hide` removes secrets
 * before it is cut. Pure.
 */
export function describeRefusal(text: string, hide: (text: string) => string): string | null {
  if (text.length > MOST_HEAD) return null
  // A text of JSON may spell a secret by escapes, so it is read first.
  const said = hide(wordsIn(readJson(text)) ?? "")
  const shown = said
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return shown === "" ? null : shown.slice(0, MOST_WORDS)
}

const MOST_WORDS = 100

/** A text that is no JSON stays a text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function wordsIn(found: unknown): string | null {
  if (typeof found === "string") return found
  if (typeof found !== "object" || found === null) return null
  const values = WORDED.map((key): unknown => Reflect.get(found, key))
  return wordsIn(values.find((value) => value !== undefined && value !== null) ?? null)
}

const WORDED = ["error", "message", "detail"]
