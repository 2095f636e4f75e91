/**
 * `a web page "502 Bad Gateway"`, with its title, which mostly says whose page it is; `null` of any
 * other text. Pure.
 */
export function describePage(text: string): string | null {
  if (!text.trimStart().startsWith("<")) return null
  const head = text.slice(0, MOST_HEAD)
  const [, title = ""] = /<title[^<>]{0,200}>([^<]{1,400})/i.exec(head) ?? []
  const shown = title
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return shown === "" ? "a web page" : `a web page "${shown.slice(0, MOST_TITLE)}"`
}

const MOST_HEAD = 4_096
const MOST_TITLE = 60
