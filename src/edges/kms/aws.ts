import { AwsV4Signer } from "aws4fetch"
import type { Clock } from "#lib/clock.ts"
import type { HttpAnswer } from "#nodes/exchange.ts"
import {
  askKms,
  type KmsFailure,
  type KmsProvider,
  readTexts,
  toRefusal,
  wrongCredentials,
} from "./ask-kms.ts"
import type { KmsKeyName } from "./parse-kms-name.ts"

type Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** AWS KMS API Reference: GetPublicKey and Sign, by its JSON protocol 1.1 with SigV4. */
export function createAwsKms(
  name: KmsKeyName,
  readFile: (reference: string) => string,
  clock: Clock,
): KmsProvider {
  const { key, credentials } = name
  const region = key.split(":")[3] ?? ""
  const url = `${awsHost(name)}/`
  const findCredentials =
    credentials === null
      ? createInstanceRole(clock)
      : async () => readProfile(readFile(credentials))

  async function ask(action: string, fields: Readonly<Record<string, string>>) {
    const body = JSON.stringify({ KeyId: key, ...fields })
    const headers = {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `TrentService.${action}`,
    }
    const signing = { method: "POST", url, body, headers, service: "kms", region }
    const signed = await new AwsV4Signer({ ...signing, ...(await findCredentials()) }).sign()
    const answer = await askKms({ url, body, headers: Object.fromEntries(signed.headers) })
    if (answer.status === 200) return readTexts(answer)
    throw readRefusal(answer, url)
  }

  return {
    fetchPublicKey: async () => {
      const { PublicKey = "" } = await ask("GetPublicKey", {})
      return Buffer.from(PublicKey, "base64")
    },
    signDigest: async (digest) => {
      const { Signature = "" } = await ask("Sign", {
        Message: Buffer.from(digest).toString("base64"),
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256",
      })
      return Buffer.from(Signature, "base64")
    },
  }
}

/** AWS General Reference: `kms.REGION`, with an ending of its own in China. */
export function awsHost({ key, endpoint }: KmsKeyName): string {
  const [, partition = "aws", , region = ""] = key.split(":")
  const ending = partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com"
  return endpoint === null ? `https://kms.${region}.${ending}` : endpoint.replace(/\/$/, "")
}

/** The error names of the API, and of all AWS services (Common Errors). */
const REFUSALS: readonly (readonly [RegExp, KmsFailure])[] = [
  [/Throttl|LimitExceeded|Internal|Timeout|Unavailable|RequestExpired/, "busy"],
  [/AccessDenied|UnrecognizedClient|Signature|ExpiredToken|Authentication|OptIn|TokenId/, "denied"],
  [/NotFound/, "key_missing"],
  [/./, "key_kind"],
]

function readRefusal(answer: HttpAnswer, url: string): Error {
  const { __type = "", message, Message } = readTexts(answer)
  const error = __type.replace(/^.*#/, "")
  const named = REFUSALS.find(([pattern]) => pattern.test(error))?.[1] ?? "denied"
  const failure = answer.status >= 500 || answer.status === 429 ? "busy" : named
  return toRefusal(failure, new URL(url).host, `${error} ${message ?? Message ?? answer.status}`)
}

/** The file of `aws configure` (`[default]`), or of another profile that stands alone in it. */
function readProfile(text: string): Credentials {
  const sections = text.split(/^\s*\[/m).slice(1)
  const chosen = sections.find((one) => one.startsWith("default]")) ?? sections[0] ?? ""
  const value = (name: string): string | undefined =>
    new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, "m").exec(chosen)?.[1]
  const accessKeyId = value("aws_access_key_id")
  const secretAccessKey = value("aws_secret_access_key")
  const sessionToken = value("aws_session_token")
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw wrongCredentials("expected aws_access_key_id and aws_secret_access_key below [default]")
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

export const AWS_INSTANCE = "http://169.254.169.254"
const ROLES = `${AWS_INSTANCE}/latest/meta-data/iam/security-credentials/`
/** They are renewed before they end. */
const RENEW_MS = 5 * 60_000

/** Amazon EC2 User Guide: IMDSv2. */
function createInstanceRole(clock: Clock): () => Promise<Credentials> {
  let kept: { readonly credentials: Credentials; readonly untilMs: number } | null = null
  return async () => {
    if (kept !== null && clock.now() < kept.untilMs) return kept.credentials
    const session = await askKms({
      url: `${AWS_INSTANCE}/latest/api/token`,
      method: "PUT",
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
    })
    const headers = { "x-aws-ec2-metadata-token": session.text }
    const role = (await askKms({ url: ROLES, headers })).text.split("\n")[0] ?? ""
    const found = readTexts(await askKms({ url: `${ROLES}${role}`, headers }))
    const { AccessKeyId, SecretAccessKey, Token, Expiration = "" } = found
    if (AccessKeyId === undefined || SecretAccessKey === undefined)
      throw wrongCredentials("this instance has no role")
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(Token && { sessionToken: Token }),
    }
    kept = { credentials, untilMs: Date.parse(Expiration) - RENEW_MS }
    return credentials
  }
}
