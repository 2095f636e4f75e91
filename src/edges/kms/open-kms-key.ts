import { createPublicKey } from "node:crypto"
import { AppError } from "#lib/app-error.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import { wrongCredentials } from "./ask-kms.ts"
import { AWS_INSTANCE, awsHost, createAwsKms } from "./aws.ts"
import { createGcpKms, GCP_INSTANCE, gcpHost, readAccount } from "./gcp.ts"
import { readKmsName } from "./parse-kms-name.ts"

/** A secp256k1 key that never leaves its KMS. */
export type KmsKey = {
  /** The public key: 65 bytes, uncompressed. Throws `kms.*`. */
  fetchPoint(): Promise<Buffer>
  /**
   * `r` and `s` of ECDSA over a digest of 32 bytes, 64 bytes, with any `s`, which the caller
   * verifies. Throws `kms.unreachable`, `kms.busy`, `kms.signature` (transient), and `kms.denied`,
   * `kms.key_missing`, `kms.key_kind`, `kms.credentials` (fatal).
   */
  sign(digest: Uint8Array): Promise<Buffer>
}

const PROVIDERS = { aws: createAwsKms, gcp: createGcpKms } as const

/** Asks nothing yet. Throws `kms.name` (fatal). */
export function openKmsKey(reference: string, clock: Clock = systemClock): KmsKey {
  const name = readKmsName(reference)
  const provider = PROVIDERS[name.provider](name, readCredentials, clock)
  return {
    fetchPoint: async () => readPoint(await askPatiently(clock, () => provider.fetchPublicKey())),
    sign: (digest) => askPatiently(clock, async () => readDer(await provider.signDigest(digest))),
  }
}

/**
 * The hosts that a key needs, as `host:port`: the service's, and the one that gives its
 * credentials. Reads the credentials. Throws `kms.*` (fatal).
 */
export function reachOf(reference: string): readonly string[] {
  const name = readKmsName(reference)
  const { provider, credentials } = name
  if (provider === "aws")
    return [awsHost(name), ...(credentials === null ? [AWS_INSTANCE] : [])].map(placeOf)
  const issuer =
    credentials === null ? GCP_INSTANCE : readAccount(readCredentials(credentials)).token_uri
  return [gcpHost(name), issuer].map(placeOf)
}

function placeOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port === "" ? ({ "http:": 80 }[protocol] ?? 443) : port}`
}

/** Each time again, so that renewed credentials need no restart. */
function readCredentials(reference: string): string {
  const path = reference.replace(/^file:/, "")
  try {
    return readUserFile(path).toString("utf8")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
    throw wrongCredentials(`${path} cannot be read (${code})`)
  }
}

/** Together with the time-outs of its calls below the daemon's patience with a signer. */
const PAUSES_MS = [200, 600, 1_500]
const PATIENCE_MS = 8_000

/** A busy service and a lost connection pass by themselves. */
async function askPatiently<Answer>(clock: Clock, ask: () => Promise<Answer>): Promise<Answer> {
  const endMs = clock.now() + PATIENCE_MS
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      const isPassing = error instanceof AppError && error.disposition === "transient"
      if (!isPassing || clock.now() + pauseMs > endMs) throw error
      await clock.sleep(pauseMs)
    }
  }
  return await ask()
}

function readPoint(spki: Buffer): Buffer {
  try {
    const jwk = createPublicKey({ key: spki, format: "der", type: "spki" }).export({
      format: "jwk",
    })
    if (jwk.crv === "secp256k1")
      return Buffer.concat([
        Buffer.from([4]),
        ...[jwk.x ?? "", jwk.y ?? ""].map((text) => Buffer.from(text, "base64url")),
      ])
  } catch {
    // No key at all is a key of the wrong kind too.
  }
  const message =
    "the key in the KMS is no secp256k1 key; make one of ECC_SECG_P256K1 (AWS) or " +
    "EC_SIGN_SECP256K1_SHA256 (Google Cloud)"
  throw new AppError({ code: "kms.key_kind", disposition: "fatal", message })
}

/** X9.62: a sequence of two integers, each of at most 33 bytes. */
function readDer(der: Buffer): Buffer {
  const rLength = der[3] ?? 0
  const sLength = der[5 + rLength] ?? 0
  const isWhole =
    der[0] === 0x30 &&
    der[1] === der.length - 2 &&
    der[2] === 2 &&
    der[4 + rLength] === 2 &&
    6 + rLength + sLength === der.length
  if (!isWhole) throw wrongSignature()
  const parts = [der.subarray(4, 4 + rLength), der.subarray(6 + rLength)]
  return Buffer.concat(parts.map(toWord))
}

function toWord(integer: Buffer): Buffer {
  const bytes = integer[0] === 0 ? integer.subarray(1) : integer
  if (bytes.length > 32) throw wrongSignature()
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes])
}

function wrongSignature(): AppError {
  const message = "The KMS gave no signature in DER, and Ballast does not use it"
  return new AppError({ code: "kms.signature", disposition: "transient", message })
}
