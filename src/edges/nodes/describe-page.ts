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
