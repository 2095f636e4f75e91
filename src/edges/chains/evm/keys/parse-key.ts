import { AppError } from "#lib/app-error.ts"
import { describeForm, type Secret } from "#lib/secret.ts"

/** The order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * The text as `0x` and 64 lower-case hex digits; `null` if it is no private key. Zero and numbers
 * from the curve's order on are none.
 */
export function parseEvmKey(text: string): `0x${string}` | null {
  const digits = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const number = BigInt(`0x${digits}`)
  return number > 0n && number < ORDER ? `0x${digits.toLowerCase()}` : null
}

export function evmKeyError(key: Secret): AppError {
  const { reference } = key
  return new AppError({
    code: "config.key",
    disposition: "fatal",
    message:
      `${reference} is not an EVM private key${describeForm(key)}; write it as 0x and 64 hex ` +
      "digits",
    details: { reference },
  })
}
