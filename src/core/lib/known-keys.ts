/**
 * Long random keys of the configuration. Every text that leaves the process for a terminal, a log
 * or a page passes through `printable`, which leaves them out as a second line of defence. Each
 * secret is hidden first in the answers of the peer that was given it. A short one is hidden there
 * only: its text may be a word of our own answers, or a part of a transaction, and a reader could
 * guess it by the place where an answer hides something.
 */
const known = new Set<string>()

/** False for a text that is no URL. */
export function rememberKeys(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password, pathname, searchParams } = new URL(url)
  for (const part of [username, password, ...pathname.split("/"), ...searchParams.values()])
    rememberSecret(part)
  return true
}

/** A whole text that is a secret, such as a password or a token. */
export function rememberSecret(text: string): void {
  if (isKeyLike(text)) known.add(text)
}

/** For a process that reads the configurations of several owners one after another. */
export function forgetKeys(): void {
  known.clear()
}

export function withoutKnownKeys(text: string): string {
  let shown = text.replace(LOGIN, "://***@")
  for (const key of known) if (shown.includes(key)) shown = shown.replaceAll(key, "***")
  return shown
}

/** Names of chains, versions and networks also stand in URLs, and must stay readable. */
function isKeyLike(part: string): boolean {
  return part.length >= SHORTEST_PART && /\d/.test(part) && /[a-z]/i.test(part)
}

/** User and password of any URL, by their place in it. */
const LOGIN = /:\/\/[^\s/@"'\\]*@/g
const SHORTEST_PART = 20
