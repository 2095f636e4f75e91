import { hash } from "starknet"
import { AppError } from "#lib/app-error.ts"

/** The field of Starknet: 2^251 + 17 * 2^192 + 1 (docs.starknet.io, STARK field). */
const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n

/** Reads a felt written as hex or decimal, padded or not. Throws `starknet.felt` (refused). */
export function parseFelt(text: string): bigint {
  const plain = /^(0x[0-9a-fA-F]{1,64}|\d{1,77})$/.test(text)
  const value = plain ? BigInt(text) : -1n
  if (value < 0n || value >= FIELD_PRIME) throw badFelt(text)
  return value
}

/** The form that the JSON-RPC specification demands: `0x`, lower case, no leading zeros. */
export function formatFelt(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** An address or hash as people write it: 64 hex digits. */
export function formatAddress(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`
}

/** A Cairo short string: up to 31 ASCII characters in one felt. */
export function encodeShortString(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, "ascii").toString("hex") || "0"}`)
}

/** The selector of an entry point or event: Starknet keccak of its name. */
export function selectorOf(name: string): bigint {
  const known = selectors.get(name)
  if (known !== undefined) return known
  const selector = BigInt(hash.getSelectorFromName(name))
  selectors.set(name, selector)
  return selector
}

export function poseidon(values: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...values]))
}

const selectors = new Map<string, bigint>()

function badFelt(text: string): AppError {
  return new AppError({
    code: "starknet.felt",
    disposition: "refused",
    message: `"${text}" is not a field element; write it as 0x and hex digits`,
    details: { text },
  })
}
