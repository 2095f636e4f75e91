import { isIP } from "node:net"

/** The headers of a request that say which name and which page it was sent to and from. */
export type OriginHeaders = {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`: every current browser sends it, and no page can change it. */
  readonly site: string | undefined
}

/**
 * Whether the `Host` header names this listener. A page of another owner may let its own name lead
 * to our address (DNS rebinding); the browser then sends that name. An IP address cannot be
 * rebound.
 */
export function isOwnHost(host: string | undefined, known: readonly string[]): boolean {
  const name = nameOf(host ?? "")
  if (name === null) return false
  return name === "localhost" || isIP(name) !== 0 || known.includes(name)
}

/**
 * Whether the request comes from a page of another owner. `Origin` must name the same host as
 * `Host`; under our own TLS it must also be https. `byBrowser`: a browser adds Basic credentials by
 * itself, so `Sec-Fetch-Site` counts too, and a write needs proof that it comes from our page.
 */
export function isForeign(
  { host, origin, site }: OriginHeaders,
  {
    byBrowser,
    write,
    tls,
  }: { readonly byBrowser: boolean; readonly write: boolean; readonly tls: boolean },
): boolean {
  if (origin !== undefined && !isOwnOrigin(origin, host ?? "", tls)) return true
  if (!byBrowser) return false
  if (write) return origin === undefined && site !== "same-origin"
  return site !== undefined && site !== "same-origin" && site !== "none"
}

function isOwnOrigin(origin: string, host: string, tls: boolean): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: from } = new URL(origin)
  if (protocol !== "https:" && (tls || protocol !== "http:")) return false
  // The same parser drops the default port of both.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === from
}

/** A stranger's name or origin for a sentence: a part of it, and only plain characters. */
export function readableName(text: string | undefined): string {
  return text?.replaceAll(/[^a-z0-9.:/_[\]-]/gi, "?").slice(0, MOST_SHOWN) ?? "no name"
}

const MOST_SHOWN = 80

/** The name or address of a `Host` header, without port and brackets; `null` if it is malformed. */
function nameOf(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,255}))(?::\d{1,5})?$/i.exec(host)
  return match === null ? null : (match[1] ?? match[2] ?? "").toLowerCase()
}
