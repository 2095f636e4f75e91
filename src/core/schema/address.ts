import { z } from "zod"
import { rememberKeys } from "#lib/known-keys.ts"
import { integer, text } from "./leaves.ts"
import { orNone, required, section, withDefault } from "./section.ts"

const REFERENCE = /^(env|file|credential):.+/s
const URL_OR_REFERENCE =
  "a URL that starts with http:// or https://, or a reference to one: env:NAME, file:PATH or " +
  "credential:NAME"

export const LOGIN_EXPECTED =
  "expected a user and a password in which each % begins two hex digits; write %25 for the sign"

/** Whether user and password of a URL can be decoded; another fault of it is not meant. */
export function hasReadableLogin(url: string): boolean {
  if (!URL.canParse(url)) return true
  const { username, password } = new URL(url)
  return !/%(?![0-9a-f]{2})/i.test(`${username} ${password}`)
}

/** A URL that may hold a key, or a reference to one. */
export const addressText = text(
  new RegExp(`^https?:\\/\\/[^\\s#?]+|${REFERENCE.source}`, "s"),
  URL_OR_REFERENCE,
)
  .refine(
    // Its access keys appear in no output from here on.
    (written) => REFERENCE.test(written) || rememberKeys(written),
    { error: `expected ${URL_OR_REFERENCE}` },
  )
  .refine((written) => REFERENCE.test(written) || hasReadableLogin(written), {
    error: LOGIN_EXPECTED,
  })

/** They belong to the client, which sends no request with one of another hand. */
const OWN_HEADER = /^(connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i

const headerMap = z
  .record(
    text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "the name of an HTTP header"),
    text(
      /^[\x20-\x7e\t]+$/,
      "printable text, or a reference: env:NAME, file:PATH, credential:NAME",
    ),
    { error: "expected a map of header to text" },
  )
  .refine((map) => !Object.keys(map).some((name) => OWN_HEADER.test(name)), {
    error: "expected no header of the connection or the body: Ballast writes these itself",
  })

/** The problem of a value that is neither a text nor a map. */
export const ADDRESS_EXPECTED = `expected ${URL_OR_REFERENCE}; or a map of url and headers`

/** Where to ask: a URL, or a map with the headers that its owner wants. */
export const address = z.union(
  [
    addressText,
    section({
      url: required(addressText, "The URL, or a reference to it."),
      headers: withDefault(
        headerMap,
        {},
        "Headers of each request, as text or by reference (env:NAME, file:PATH, credential:NAME).",
      ),
      max_requests_per_second: orNone(
        integer(1, 10_000),
        "The most requests per second, where its owner names a limit; Ballast learns others.",
      ),
    }).transform(({ url, headers, max_requests_per_second: maxRequestsPerSecond }) => ({
      url,
      headers,
      maxRequestsPerSecond,
    })),
  ],
  { error: ADDRESS_EXPECTED },
)

/** The same for a receiver of messages, which have a pace of their own. */
export const receiverAddress = z.union(
  [
    addressText,
    section({
      url: required(addressText, "The URL, or a reference to it."),
      headers: withDefault(headerMap, {}, "Headers of each request, as text or by reference."),
    }),
  ],
  { error: ADDRESS_EXPECTED },
)
