import { AppError } from "#lib/app-error.ts"
import { describeForm, type Secret } from "#lib/secret.ts"

/** The order of the Stark curve (docs.starkware.co, STARK curve). */
const ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn

/** Hex with or without `0x`, of a number from 1 to below the curve's order. */
export function isStarknetKey(text: string): boolean {
  const digits = /^(?:0x)?([0-9a-f]{1,64})$/i.exec(text)?.[1]
  if (digits === undefined) return false
  const number = BigInt(`0x${digits}`)
  return number > 0n && number < ORDER
}

export function starknetKeyError(key: Secret): AppError {
  const { reference } = key
  return new AppError({
    code: "config.key",
    disposition: "fatal",
    message:
      `${reference} is not a Starknet private key${describeForm(key)}; write it as 0x and up to ` +
      "64 hex digits",
    details: { reference },
  })
}
