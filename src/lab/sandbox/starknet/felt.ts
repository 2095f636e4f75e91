import { addAddressPadding, constants, hash, num, shortString } from "starknet"
import { AppError } from "#lib/app-error.ts"
import { remember } from "#lib/remember.ts"

/** Parses a felt in hex or decimal text, padded or not. Throws `starknet.felt` (refused). */
export function parseFelt(text: string): bigint {
  const plain = /^(0x[0-9a-fA-F]{1,64}|\d{1,77})$/.test(text)
  const value = plain ? BigInt(text) : -1n
  if (value < 0n || value >= constants.PRIME) throw badFelt(text)
  return value
}

/** Formats a felt as the JSON-RPC specification requires: `0x`, lower case, no leading zeros. */
export function formatFelt(value: bigint): string {
  return num.toHex(value)
}

/** Formats an address or hash with 64 hex digits. */
export function formatAddress(value: bigint): string {
  return addAddressPadding(value)
}

/** Encodes a Cairo short string: up to 31 ASCII characters in one felt. */
export function encodeShortString(text: string): bigint {
  return BigInt(shortString.encodeShortString(text))
}

/** The selector of an entry point or event: Starknet keccak of its name. */
export const selectorOf = remember((name: string): bigint => BigInt(hash.getSelectorFromName(name)))

export function poseidon(values: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...values]))
}

function badFelt(text: string): AppError {
  return new AppError({
    code: "starknet.felt",
    disposition: "refused",
    message: `"${text}" is not a field element; write it as 0x and hex digits`,
    details: { text },
  })
}
