import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { describeForm, type Secret } from "#lib/secret.ts"
import { readBase58 } from "./read-base58.ts"

/** The bytes of a key's text, base 58 or a JSON array of numbers; `null` for any other text. */
export function parseSolanaKey(text: string): Uint8Array | null {
  if (!text.startsWith("[")) return readBase58(text)
  try {
    return Uint8Array.from(z.array(z.int().min(0).max(255)).parse(JSON.parse(text)))
  } catch {
    // The error drops the parser's message, because it would quote the key.
    return null
  }
}

export function solanaKeyError(key: Secret): AppError {
  const { reference } = key
  return new AppError({
    code: "config.solana_key",
    disposition: "fatal",
    message:
      `${reference} is not a Solana key${describeForm(key)}; expected base 58 of 64 bytes or a ` +
      "JSON array of 64 numbers",
    details: { reference },
  })
}
