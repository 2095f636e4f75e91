import { AppError } from "#lib/app-error.ts"
import { describeFailure, exchange, type HttpAnswer } from "#nodes/exchange.ts"

/** What a service of a cloud does for one key. */
export type KmsProvider = {
  /** SubjectPublicKeyInfo in DER (RFC 5280). */
  fetchPublicKey(): Promise<Buffer>
  /** An ECDSA signature of a digest of 32 bytes, in DER (RFC 3279). */
  signDigest(digest: Uint8Array): Promise<Buffer>
}

/** `busy` passes by itself; the others need a person. */
export type KmsFailure = "busy" | "denied" | "key_missing" | "key_kind"

const TIMEOUT_MS = 5_000
/** A public key and a signature have a few hundred bytes. */
const MOST_BYTES = 64 * 1024

type KmsCall = {
  readonly url: string
  readonly method?: "GET" | "POST" | "PUT"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Any answer; throws `kms.unreachable` (transient) without one. */
export async function askKms(call: KmsCall): Promise<HttpAnswer> {
  const { url, ...rest } = call
  try {
    return await exchange({ address: url, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES, ...rest })
  } catch (error) {
    throw new AppError({
      code: "kms.unreachable",
      disposition: "transient",
      message: `${new URL(url).host} does not answer: ${describeFailure(error)}`,
      cause: error,
    })
  }
}

/** A failure of the service, with its own words. */
export function toRefusal(failure: KmsFailure, host: string, words: string): AppError {
  return new AppError({
    code: `kms.${failure}`,
    disposition: failure === "busy" ? "transient" : "fatal",
    message: `${host} refused: ${words.slice(0, MOST_WORDS)}`,
  })
}

const MOST_WORDS = 300

/** Throws `kms.credentials` (fatal). */
export function wrongCredentials(problem: string): AppError {
  const message = `the credentials of the KMS cannot be used: ${problem}`
  return new AppError({ code: "kms.credentials", disposition: "fatal", message })
}

/** The fields of a JSON answer as texts; other values are left out. */
export function readTexts(answer: HttpAnswer): Readonly<Record<string, string>> {
  const found = parse(answer.text)
  const texts = Object.entries(found).filter(([, value]) => typeof value === "string")
  // CAST: the line above leaves texts only.
  return Object.fromEntries(texts) as Readonly<Record<string, string>>
}

/** An object of JSON; empty for anything else. */
export function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text)
    // CAST: an object, whose fields are unknown.
    return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
