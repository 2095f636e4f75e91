import { createHash } from "node:crypto"
import { xOnlyPointFromScalar } from "tiny-secp256k1"

/** The private key of the service for one order; live deployments also use one key per order. */
export function serviceSecret(secretHash: string): Uint8Array {
  return secretOf(`service ${secretHash}`)
}

/** The x-only public key as hex. */
export function publicKey(secret: Uint8Array): string {
  return Buffer.from(xOnlyPointFromScalar(secret)).toString("hex")
}

/**
 * Derives a fixed key, so that a restarted sandbox can spend its old HTLCs. The coins are
 * worthless.
 */
function secretOf(label: string): Uint8Array {
  return createHash("sha256").update(`ballast sandbox bitcoin ${label}`).digest()
}

export const SOLVER_SECRET = secretOf("solver")
export const SOLVER_KEY = publicKey(SOLVER_SECRET)
