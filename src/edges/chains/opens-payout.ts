import { createHash } from "node:crypto"
import type { Payout } from "#domain/payout.ts"

/** Whether the secret is 32 bytes in hex with the payout's hash (SHA-256). */
export function opensPayout(secret: string, { secretHash }: Payout): boolean {
  const isBytes = /^[0-9a-f]{64}$/.test(secret)
  return isBytes && hashSecret(secret) === secretHash
}

/** SHA-256 of a secret, both in hex. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
}
