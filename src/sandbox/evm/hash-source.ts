import { createHash } from "node:crypto"

/** SHA-256 of a contract's source, lower-case hex: how artifacts and sources are kept in step. */
export function hashSource(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
