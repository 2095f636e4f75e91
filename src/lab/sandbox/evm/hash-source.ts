import { createHash } from "node:crypto"

/**
 * SHA-256 of a contract's source in lower-case hex. A test compares it with the hash in the
 * artifacts.
 */
export function hashSource(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
