/**
 * The access keys in the URLs of the configuration. Each URL is remembered when the configuration
 * is read, and every text that leaves the process for a terminal, a log or a page passes through
 * `printable`, which leaves them out, whoever put them there.
 */
const known = new Set<string>()

/** False for a text that is no URL. */
export function rememberKeys(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password, pathname, searchParams } = new URL(url)
  for (const part of [username, ...pathname.split("/"), ...searchParams.values()])
    if (isKeyLike(part)) known.add(part)
  if (password.length >= SHORTEST_PASSWORD) known.add(password)
  return true
}

/**
 * A whole text that is a secret, such as a password or a token. A very short one would also hide
 * common words.
 */
export function rememberSecret(text: string): void {
  if (text.length >= SHORTEST_PASSWORD) known.add(text)
}

/** For a process that reads the configurations of several owners one after another. */
export function forgetKeys(): void {
  known.clear()
}

export function withoutKnownKeys(text: string): string {
  let shown = text
  for (const key of known) if (shown.includes(key)) shown = shown.replaceAll(key, "***")
  return shown
}

/** Names of chains, versions and networks also stand in URLs, and must stay readable. */
function isKeyLike(part: string): boolean {
  return part.length >= SHORTEST_PART && /\d/.test(part) && /[a-z]/i.test(part)
}

const SHORTEST_PASSWORD = 6
const SHORTEST_PART = 20
