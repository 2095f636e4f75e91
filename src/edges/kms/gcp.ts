import { sign } from "node:crypto"
import type { Clock } from "#lib/clock.ts"
import type { HttpAnswer } from "#nodes/exchange.ts"
import {
  askKms,
  type KmsFailure,
  type KmsProvider,
  parse,
  readTexts,
  toRefusal,
  wrongCredentials,
} from "./ask-kms.ts"
import type { KmsKeyName } from "./parse-kms-name.ts"

/** Cloud KMS REST API v1: `getPublicKey` and `asymmetricSign` of a key version. */
export function createGcpKms(
  name: KmsKeyName,
  readFile: (reference: string) => string,
  clock: Clock,
): KmsProvider {
  const { credentials } = name
  const place = `${gcpHost(name)}/v1/${name.key}`
  const findToken = keepToken(clock, () =>
    credentials === null
      ? askInstance()
      : askWithAccount(readAccount(readFile(credentials)), clock),
  )

  async function ask(url: string, body?: string): Promise<Readonly<Record<string, string>>> {
    const headers = { authorization: `Bearer ${await findToken()}` }
    const answer = await askKms({ url, headers, ...(body === undefined ? {} : { body }) })
    if (answer.status === 200) return readTexts(answer)
    throw readRefusal(answer, url)
  }

  return {
    fetchPublicKey: async () => {
      const { pem = "" } = await ask(`${place}/publicKey`)
      return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64")
    },
    signDigest: async (digest) => {
      const sha256 = Buffer.from(digest).toString("base64")
      const { signature = "" } = await ask(
        `${place}:asymmetricSign`,
        JSON.stringify({ digest: { sha256 } }),
      )
      return Buffer.from(signature, "base64")
    },
  }
}

export function gcpHost({ endpoint }: KmsKeyName): string {
  return (endpoint ?? "https://cloudkms.googleapis.com").replace(/\/$/, "")
}

/** Cloud APIs: errors, `google.rpc.Code`. */
const REFUSALS: Readonly<Record<number, KmsFailure>> = {
  400: "key_kind",
  401: "denied",
  403: "denied",
  404: "key_missing",
  409: "key_kind",
  429: "busy",
}

function readRefusal(answer: HttpAnswer, url: string): Error {
  const { error } = parse(answer.text)
  const words = typeof error === "object" && error !== null ? JSON.stringify(error) : ""
  const { status = "", message = "" } = readTexts({ ...answer, text: words })
  const failure = answer.status >= 500 ? "busy" : (REFUSALS[answer.status] ?? "denied")
  return toRefusal(failure, new URL(url).host, `${status} ${message || answer.status}`)
}

type Token = { readonly access_token: string; readonly expires_in: number }

/** Each token is used until a minute before its end. */
function keepToken(clock: Clock, renew: () => Promise<Token>): () => Promise<string> {
  let kept: { readonly token: string; readonly untilMs: number } | null = null
  return async () => {
    if (kept === null || clock.now() >= kept.untilMs) {
      const { access_token: token, expires_in: seconds } = await renew()
      kept = { token, untilMs: clock.now() + (seconds - 60) * 1_000 }
    }
    return kept.token
  }
}

export const GCP_INSTANCE = "http://metadata.google.internal"

/** Compute Engine: the access token of the attached service account. */
async function askInstance(): Promise<Token> {
  const url = `${GCP_INSTANCE}/computeMetadata/v1/instance/service-accounts/default/token`
  return readToken(await askKms({ url, headers: { "metadata-flavor": "Google" } }), url)
}

type ServiceAccount = {
  readonly client_email: string
  readonly private_key: string
  readonly token_uri: string
}

/** A service account's grant: OAuth 2.0 with a JWT (RFC 7523), signed with RS256. */
async function askWithAccount(account: ServiceAccount, clock: Clock): Promise<Token> {
  const { client_email: email, private_key: key, token_uri: url } = account
  const nowS = Math.floor(clock.now() / 1_000)
  const content = {
    iss: email,
    scope: "https://www.googleapis.com/auth/cloudkms",
    aud: url,
    iat: nowS,
    exp: nowS + 3_600,
  }
  const parts = [{ alg: "RS256", typ: "JWT" }, content]
  const text = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".")
  const assertion = `${text}.${signText(text, key).toString("base64url")}`
  const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const body = new URLSearchParams({ grant_type: grant, assertion }).toString()
  return readToken(await askKms({ url, headers, body }), url)
}

function signText(text: string, key: string): Buffer {
  try {
    return sign("sha256", Buffer.from(text), key)
  } catch {
    throw wrongCredentials("private_key is no RSA key in PEM")
  }
}

function readToken(answer: HttpAnswer, url: string): Token {
  const { access_token: token, expires_in: seconds } = parse(answer.text)
  if (answer.status === 200 && typeof token === "string" && typeof seconds === "number")
    return { access_token: token, expires_in: seconds }
  const { error = "", error_description: words = "" } = readTexts(answer)
  const failure = answer.status >= 500 || answer.status === 429 ? "busy" : "denied"
  const shown = `no access token (${answer.status}) ${error} ${words}`
  throw toRefusal(failure, new URL(url).host, shown)
}

/** The key file of a service account, and the host that it names. */
export function readAccount(text: string): ServiceAccount {
  const {
    client_email,
    private_key,
    token_uri = "https://oauth2.googleapis.com/token",
  } = parse(text)
  if (
    typeof client_email === "string" &&
    typeof private_key === "string" &&
    typeof token_uri === "string" &&
    URL.canParse(token_uri)
  )
    return { client_email, private_key, token_uri }
  throw wrongCredentials("expected the JSON key file of a service account")
}
