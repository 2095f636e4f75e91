import { base58 } from "@scure/base"

/** The bytes of base58 text; `null` for text that is not base58. */
export function readBase58(text: string): Buffer | null {
  try {
    return Buffer.from(base58.decode(text))
  } catch {
    // The library reports other characters by throwing, and has no other failure.
    return null
  }
}
