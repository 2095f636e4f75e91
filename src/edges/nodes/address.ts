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

/** A place below an address, with the same headers. */
export function under(address: Address, path: string): Address {
  const url = `${trimEndOf(urlOf(address), "/")}${path}`
  return typeof address === "string" ? url : { ...address, url }
}

/** What a client sends: the URL without user and password, and the headers that replace them. */
export function dial(address: Address): { url: string; headers: Record<string, string> } {
  const url = new URL(urlOf(address))
  const { username, password } = url
  url.username = ""
  url.password = ""
  url.hash = ""
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const basic =
    username === "" && password === "" ? {} : { authorization: `Basic ${login.toString("base64")}` }
  return {
    url: url.href,
    headers: { ...basic, ...headersOf(address) },
  }
}
