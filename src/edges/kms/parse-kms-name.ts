import { AppError } from "#lib/app-error.ts"

/**
 * A key by its name in a KMS. AWS: the key's ARN. Google Cloud: the resource name of one key
 * version.
 */
export type KmsKeyName = {
  readonly provider: "aws" | "gcp"
  readonly key: string
  /** The address that the key is meant to have; the key proves it before it is used. */
  readonly address: string
  /** `file:PATH` or `credential:NAME`; `null`: the instance's own role. */
  readonly credentials: string | null
  /** Instead of the service's own address: an endpoint in a private network. */
  readonly endpoint: string | null
}

const FORMS = {
  "aws-kms:": {
    provider: "aws",
    pattern: /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]{1,64}$/,
    example: "arn:aws:kms:REGION:ACCOUNT:key/ID",
  },
  "gcp-kms:": {
    provider: "gcp",
    pattern:
      /^projects\/[^/?]+\/locations\/[^/?]+\/keyRings\/[^/?]+\/cryptoKeys\/[^/?]+\/cryptoKeyVersions\/\d{1,9}$/,
    example: "projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/1",
  },
} as const

const OPTIONS = ["address", "credentials", "endpoint"] as const

export function isKmsName(reference: string): boolean {
  return findForm(reference) !== null
}

/** Reads a key's name, or says what is wrong with it. */
export function parseKmsName(reference: string): KmsKeyName | string {
  const scheme = findForm(reference)
  if (scheme === null) return "a name that starts with aws-kms: or gcp-kms:"
  const { provider, pattern, example } = FORMS[scheme]
  const [key = "", query = "", ...rest] = reference.slice(scheme.length).split("?")
  if (rest.length > 0 || !pattern.test(key)) return `it must name one key, as ${scheme}${example}`
  const options = readOptions(query)
  if (options === null)
    return `after the question mark only ${OPTIONS.join(", ")} can stand, once each`
  const { address = "", credentials = null, endpoint = null } = options
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    return "it needs address=0x…, the key's own address; a start with another one tells it"
  if (credentials !== null && !/^(file|credential):./.test(credentials))
    return "its credentials must be file:PATH or credential:NAME"
  if (endpoint !== null && !isSafe(endpoint))
    return "its endpoint must be an https:// URL without path; http:// only on this machine"
  return { provider, key, address, credentials, endpoint }
}

/** Throws `kms.name` (fatal). */
export function readKmsName(reference: string): KmsKeyName {
  const name = parseKmsName(reference)
  if (typeof name !== "string") return name
  const message = `the key's name in its KMS is wrong: ${name}`
  throw new AppError({ code: "kms.name", disposition: "fatal", message })
}

/** The same name with another place of its credentials. Pure. */
export function withCredentials(reference: string, credentials: string): string {
  return reference.replace(/(?<=[?&]credentials=)[^&]*/, () => encodeURIComponent(credentials))
}

function findForm(reference: string): keyof typeof FORMS | null {
  if (reference.startsWith("aws-kms:")) return "aws-kms:"
  return reference.startsWith("gcp-kms:") ? "gcp-kms:" : null
}

type Options = { readonly [Name in (typeof OPTIONS)[number]]?: string }

function readOptions(query: string): Options | null {
  const found = [...new URLSearchParams(query)]
  const names = found.map(([name]) => name)
  const isKnown = names.every((name) => OPTIONS.some((option) => option === name))
  return isKnown && new Set(names).size === names.length ? Object.fromEntries(found) : null
}

function isSafe(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, pathname, search, username } = new URL(endpoint)
  const isPlain = pathname === "/" && search === "" && username === ""
  const isLocal = hostname === "127.0.0.1" || hostname === "[::1]" || hostname === "localhost"
  return isPlain && (protocol === "https:" || (protocol === "http:" && isLocal))
}
