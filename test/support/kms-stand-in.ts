import { createHash, createHmac, createPublicKey, type KeyObject, verify } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { SignatureV4 } from "@smithy/signature-v4"
import { listen } from "./listen.ts"

/**
 * A stand-in for AWS KMS and Cloud KMS: no cloud has seen these requests. It speaks the documented
 * API for one secp256k1 key, checks each signed request with Amazon's own signer and each access
 * token, and fails as the services do.
 */
export type KmsStandIn = {
  readonly url: string
  /** The names of all calls so far. */
  readonly calls: readonly string[]
  /** The next answers, before the service's own: a status and a body each. */
  failNext(...answers: readonly (readonly [status: number, body: object])[]): void
  close(): Promise<void>
}

const AWS_PROFILE = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG" }

/** The file of `aws configure`; answers its path. */
export function writeAwsProfile(path: string, secret = AWS_PROFILE.secretAccessKey): string {
  const lines = [
    "[default]",
    `aws_access_key_id = ${AWS_PROFILE.accessKeyId}`,
    `aws_secret_access_key = ${secret}`,
  ]
  writeFileSync(path, lines.join("\n"), { mode: 0o600 })
  return path
}

/** The key file of a service account, whose tokens the stand-in gives; answers its path. */
export function writeGcpAccount(
  path: string,
  { url, account }: { readonly url: string; readonly account: KeyObject },
): string {
  const file = {
    type: "service_account",
    client_email: "ballast@example.iam.gserviceaccount.com",
    private_key: account.export({ format: "pem", type: "pkcs8" }),
    token_uri: `${url}/token`,
  }
  writeFileSync(path, JSON.stringify(file), { mode: 0o600 })
  return path
}

type Options = {
  readonly key: KeyObject
  /** Checks the assertions of the service account. */
  readonly account?: KeyObject
}

export async function startKmsStandIn({ key, account }: Options): Promise<KmsStandIn> {
  const calls: string[] = []
  const failures: (readonly [number, object])[] = []
  const spki = createPublicKey(key).export({ format: "der", type: "spki" })
  const signDigest = (digest: string): string =>
    signHigh(key, Buffer.from(digest, "base64")).toString("base64")

  const server = createServer((request, response) => {
    void readBody(request)
      .then((body) => answer(request, body))
      .then(([status, found]) => {
        response.writeHead(status, { "content-type": "application/json" })
        response.end(JSON.stringify(found))
      })
  })

  async function answer(
    request: IncomingMessage,
    body: string,
  ): Promise<readonly [number, object]> {
    const path = request.url ?? ""
    const action = String(request.headers["x-amz-target"] ?? path)
    calls.push(action)
    if (path === "/token") return grant(body, account)
    const failure = failures.shift()
    if (failure !== undefined) return failure
    return action.startsWith("TrentService.")
      ? answerAws(request, action, body)
      : answerGcp(request, path, body)
  }

  async function answerAws(request: IncomingMessage, action: string, body: string) {
    if (!(await isSignedByAws(request, body)))
      return [403, { __type: "InvalidSignatureException", message: "does not match" }] as const
    const { Message = "", MessageType, SigningAlgorithm } = JSON.parse(body)
    if (action === "TrentService.GetPublicKey")
      return [200, { PublicKey: spki.toString("base64"), KeySpec: "ECC_SECG_P256K1" }] as const
    if (MessageType !== "DIGEST" || SigningAlgorithm !== "ECDSA_SHA_256")
      return [400, { __type: "InvalidKeyUsageException" }] as const
    return [200, { Signature: signDigest(Message) }] as const
  }

  function answerGcp(request: IncomingMessage, path: string, body: string) {
    if (request.headers.authorization !== "Bearer gcp-token")
      return [401, { error: { status: "UNAUTHENTICATED", message: "no token" } }] as const
    if (path.endsWith("/publicKey"))
      return [200, { pem: createPublicKey(key).export({ format: "pem", type: "spki" }) }] as const
    return [200, { signature: signDigest(JSON.parse(body).digest.sha256) }] as const
  }

  const { url } = await listen(server)
  return {
    url,
    calls,
    failNext: (...answers) => {
      failures.push(...answers)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** As the services do: with any of the two valid `s`. Every second digest gets the higher one. */
function signHigh(key: KeyObject, digest: Uint8Array): Buffer {
  const scalar = Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url")
  const signature = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest, scalar, { prehash: false, lowS: true }),
  )
  const { n } = secp256k1.Point.CURVE()
  const isHigh = (digest[0] ?? 0) % 2 === 1
  const shown = isHigh ? new secp256k1.Signature(signature.r, n - signature.s) : signature
  return Buffer.from(shown.toBytes("der"))
}

/** Amazon's signer makes the same signature for the same time and content. */
async function isSignedByAws(request: IncomingMessage, body: string): Promise<boolean> {
  const { authorization = "", host = "" } = request.headers
  const [, names = ""] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
  const headers = Object.fromEntries(
    names.split(";").map((name) => [name, String(request.headers[name] ?? "")]),
  )
  const stamp = String(request.headers["x-amz-date"])
  const signer = new SignatureV4({
    credentials: AWS_PROFILE,
    region: "eu-central-1",
    service: "kms",
    sha256: Sha256,
    applyChecksum: false,
  })
  const [hostname = "", port] = host.split(":")
  const signed = await signer.sign(
    {
      method: "POST",
      protocol: "http:",
      hostname,
      port: Number(port),
      path: "/",
      query: {},
      headers,
      body,
    },
    { signingDate: new Date(stamp.replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z")) },
  )
  return signatureOf(signed.headers["authorization"] ?? "") === signatureOf(authorization)
}

function signatureOf(authorization: string): string {
  return /Signature=([0-9a-f]{64})/.exec(authorization)?.[1] ?? authorization
}

/** The hash that Amazon's signer asks for. */
class Sha256 {
  private readonly hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash =
      secret === undefined
        ? createHash("sha256")
        : // CAST: the signer gives a text or bytes.
          createHmac("sha256", secret as string | Uint8Array)
  }
  update(data: string | Uint8Array): void {
    this.hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest()
  }
  reset(): void {}
}

/** RFC 7523: the assertion is signed by the account's key, for this place. */
function grant(body: string, account: KeyObject | undefined): readonly [number, object] {
  const [head = "", content = "", signature = ""] =
    new URLSearchParams(body).get("assertion")?.split(".") ?? []
  const isSigned =
    account !== undefined &&
    verify(
      "sha256",
      Buffer.from(`${head}.${content}`),
      createPublicKey(account),
      Buffer.from(signature, "base64url"),
    )
  if (!isSigned) return [400, { error: "invalid_grant", error_description: "bad signature" }]
  return [200, { access_token: "gcp-token", expires_in: 3_600 }]
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
