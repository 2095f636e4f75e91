import { createHash } from "node:crypto"
import { xOnlyPointFromScalar } from "tiny-secp256k1"

/** The service holds one key per order, as the live deployments do. */
export function serviceSecret(secretHash: string): Uint8Array {
  return secretOf(`service ${secretHash}`)
}

/** x-only, hex. */
export function publicKey(secret: Uint8Array): string {
  return Buffer.from(xOnlyPointFromScalar(secret)).toString("hex")
}

/** Fixed keys, so that a sandbox started again on its old data still spends its HTLCs. They guard coins without worth. */
function secretOf(label: string): Uint8Array {
  return createHash("sha256").update(`ballast sandbox bitcoin ${label}`).digest()
}

export const SOLVER_SECRET = secretOf("solver")
export const SOLVER_KEY = publicKey(SOLVER_SECRET)
