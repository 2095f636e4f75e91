import { z } from "zod"

/** The field of Starknet: 2^251 + 17 * 2^192 + 1 (docs.starknet.io, STARK field). */
const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n

/** Addresses are below 2^251 - 256 (docs.starknet.io, contract address); 0 and 1 are reserved. */
const ADDRESS_LIMIT = 2n ** 251n - 256n

/**
 * Reads a felt in any notation of the wire: hex or decimal text, padded or not, or a safe JSON
 * number; `null` for any other value.
 */
export function readFelt(value: unknown): bigint | null {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value !== "string" || !/^(0x[0-9a-fA-F]{1,64}|\d{1,77})$/.test(value)) return null
  const felt = BigInt(value)
  return felt < FIELD_PRIME ? felt : null
}

/** Like `readFelt`, but also reads hex without `0x`, the form of swap ids. */
export function readHexFelt(text: string): bigint | null {
  return readFelt(text.startsWith("0x") ? text : `0x${text}`)
}

/** Reads a contract address in hex with `0x`; `null` for any other text. */
export function readAddress(text: string): bigint | null {
  const felt = text.startsWith("0x") ? readFelt(text) : null
  return felt !== null && felt > 1n && felt < ADDRESS_LIMIT ? felt : null
}

/** `0x`, lower case, no leading zeros: the form that the JSON-RPC specification requires. */
export function formatFelt(felt: bigint): string {
  return `0x${felt.toString(16)}`
}

/** `0x` and 64 hex digits, the form in explorers and wallets. */
export function formatAddress(felt: bigint): string {
  return `0x${felt.toString(16).padStart(64, "0")}`
}

/** A Cairo short string: up to 31 ASCII characters in one felt. */
export function encodeShortString(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, "ascii").toString("hex") || "0"}`)
}

/** A u256 as two felts, low half first. */
export function splitU256(units: bigint): readonly [low: bigint, high: bigint] {
  return [units & (2n ** 128n - 1n), units >> 128n]
}

/** Joins two halves to one u256; `null` if one is missing or too large. */
export function joinU256(
  low: bigint | null | undefined,
  high: bigint | null | undefined,
): bigint | null {
  const half = (value: bigint | null | undefined): value is bigint =>
    typeof value === "bigint" && value < 2n ** 128n
  return half(low) && half(high) ? low + (high << 128n) : null
}

/** Parses a felt from the node's text. */
export const feltSchema = formOf(z.string(), readFelt, "not a felt")

/** Parses a u256 from the two felts of an answer. */
export const u256Schema = formOf(
  z.array(feltSchema),
  (felts) => (felts.length === 2 ? joinU256(felts[0], felts[1]) : null),
  "not a u256",
)

/** What `parse` makes of a value; `null` is an answer of another form. */
function formOf<In, Out>(schema: z.ZodType<In>, parse: (value: In) => Out | null, message: string) {
  return schema.transform((value, context) => {
    const found = parse(value)
    if (found !== null) return found
    context.addIssue({ code: "custom", message })
    return z.NEVER
  })
}
