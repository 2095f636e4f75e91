import { createHash, hkdfSync } from "node:crypto"
import { AppError } from "./app-error.ts"
import { Secret } from "./secret.ts"

/**
 * Derives the secrets of our own orders from one key, so that a journal restored from a backup
 * needs nothing but that key to redeem them.
 *
 * HKDF-SHA256 (RFC 5869) without salt, with the info `ballast/secret/v1`, treasury, service and
 * nonce. Each part has its length before it, so that no two inputs give one info. The nonce is that
 * of the create request: random, and never used twice.
 */
export type SecretKeeper = {
  /** Names the key without telling it: 16 hex digits. */
  readonly fingerprint: string
  /** 32 bytes as hex. */
  derive(request: SecretOf): Secret
  /** SHA-256 of the secret, as hex. */
  hashOf(request: SecretOf): string
}

type SecretOf = { readonly service: string; readonly nonce: string }

/**
 * Throws `secrets.key` (fatal) for a key that is not 32 bytes in hex. The message does not contain
 * the key.
 */
export function createSecretKeeper(key: Secret, treasury: string): SecretKeeper {
  const bytes = readKey(key)
  const derive = ({ service, nonce }: SecretOf): Buffer =>
    Buffer.from(
      hkdfSync("sha256", bytes, "", infoOf(["ballast/secret/v1", treasury, service, nonce]), 32),
    )
  return {
    fingerprint: sha256(Buffer.concat([Buffer.from("ballast/secret-key/v1"), bytes])).slice(0, 16),
    derive: (request) =>
      new Secret(derive(request).toString("hex"), `own secret of request ${request.nonce}`),
    hashOf: (request) => sha256(derive(request)),
  }
}

/**
 * `null` for an empty key: a command that signs nothing reads an absent secret as an empty text,
 * and a daemon's start fails without it.
 */
export function openSecretKeeper(key: Secret, treasury: string): SecretKeeper | null {
  return key.reveal() === "" ? null : createSecretKeeper(key, treasury)
}

export function infoOf(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const text = Buffer.from(part, "utf8")
      const length = Buffer.alloc(4)
      length.writeUInt32BE(text.length)
      return [length, text]
    }),
  )
}

/** Why a text is no key, without the text; `null` for a key. */
export function describeWrongKey(key: Secret): string | null {
  const bytes = decodeKey(key)
  if (bytes === null) return "expected 32 bytes in hex: make them with `ballast wallet random FILE`"
  const differing = new Set(bytes).size
  return differing < LEAST_DIFFERING
    ? "expected random bytes: make them with `ballast wallet random FILE`"
    : null
}

/** Of 32 random bytes fewer than 16 differ with a probability of 3·10^-17. */
const LEAST_DIFFERING = 16

function readKey(key: Secret): Buffer {
  const bytes = decodeKey(key)
  if (bytes !== null) return bytes
  throw new AppError({
    code: "secrets.key",
    disposition: "fatal",
    message: `The key of our own secrets (${key.reference}) is wrong: ${describeWrongKey(key)}`,
  })
}

function decodeKey(key: Secret): Buffer | null {
  const digits = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(key.reveal())?.[1]
  return digits === undefined ? null : Buffer.from(digits, "hex")
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex")
}
