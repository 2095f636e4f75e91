import { hideKeys } from "#lib/hide-keys.ts"
import { trimEndOf } from "#lib/trim-end.ts"

/**
 * Where an endpoint, a service or a price source is, as the configuration names it: a URL, or a URL
 * with headers and a limit of requests. User and password of the URL are for Basic authentication.
 */
export type Address = string | AddressWithHeaders

type AddressWithHeaders = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxRequestsPerSecond: number | null
}

export function urlOf(address: Address): string {
  return typeof address === "string" ? address : address.url
}

export function headersOf(address: Address): Readonly<Record<string, string>> {
  return typeof address === "string" ? {} : address.headers
}

/** Without access keys: fit for a log. */
export function hostOf(address: Address): string {
  const url = urlOf(address)
  return URL.canParse(url) ? new URL(url).host : "(not a URL)"
}

/** A text of the peer at this address, without the secrets that it was given. */
export function hideSecrets(address: Address, text: string): string {
  return hideKeys(urlOf(address), text, Object.values(headersOf(address)))
}

/** A place below an address, with the same headers and query: that may be an access key. */
export function under(address: Address, path: string): Address {
  const [base = "", ...own] = withoutHash(urlOf(address)).split("?")
  const [place = "", ...more] = path.split("?")
  const query = [own.join("?"), more.join("?")].filter((part) => part !== "").join("&")
  const url = `${trimEndOf(base, "/")}${place}${query === "" ? "" : `?${query}`}`
  return typeof address === "string" ? url : { ...address, url }
}

function withoutHash(url: string): string {
  return url.split("#")[0] ?? ""
}

/**
 * What a client sends: the URL without user and password, and the headers that replace them. A
 * header with a login counts before that of the URL.
 */
export function dial(address: Address): { url: string; headers: Readonly<Record<string, string>> } {
  const url = new URL(urlOf(address))
  const basic = readLogin(url)
  url.username = ""
  url.password = ""
  url.hash = ""
  const given = headersOf(address)
  const hasLogin = Object.keys(given).some((name) => name.toLowerCase() === "authorization")
  return {
    url: url.href,
    headers: basic === null || hasLogin ? given : { authorization: basic, ...given },
  }
}

/** Of Basic authentication (RFC 7617). Throws, without the login, for one that encodes nothing. */
function readLogin({ username, password }: URL): string | null {
  if (username === "" && password === "") return null
  try {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(login).toString("base64")}`
  } catch {
    throw new Error("the user or password of its URL has a % that encodes nothing; write %25")
  }
}
