import { rememberKeys, rememberSecret } from "#lib/known-keys.ts"
import { Secret } from "#lib/secret.ts"
import { type Address, urlOf } from "#nodes/address.ts"

type Secrets = ReadonlyMap<string, Secret>

/** The values in place of their references. From here on no log line or answer shows them. */
export function buildAddress(written: Address, secrets: Secrets): Address {
  const found = secretUrlOf(urlOf(written), secrets).reveal()
  if (typeof written === "string") return found
  const headers = Object.entries(buildHeaders(written.headers, secrets))
  return {
    url: found,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()])),
    maxRequestsPerSecond: written.maxRequestsPerSecond,
  }
}

export function buildHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Secrets,
): Readonly<Record<string, Secret>> {
  const built = Object.entries(headers).map(([name, written]) => {
    const value = secrets.get(written) ?? new Secret(written, "a header of the file")
    rememberSecret(value.reveal())
    return [name, value]
  })
  return Object.fromEntries(built)
}

/** A URL that stands in the file may hold a key too. */
export function secretUrlOf(written: string, secrets: Secrets): Secret {
  const secret = secrets.get(written) ?? new Secret(written, "a URL of the file")
  rememberKeys(secret.reveal())
  return secret
}
