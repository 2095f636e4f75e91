/**
 * A burn message of CCTP v2: a header of 148 bytes, a body of 228 bytes, and hook data. All
 * families send and receive the same bytes. Integers are big-endian; an address of 20 bytes is
 * padded on the left.
 */
export type BurnMessage = {
  readonly version: number
  readonly sourceDomain: number
  readonly destinationDomain: number
  /** Zero in the emitted message. */
  readonly nonce: Hex
  /** The token messenger of the source. */
  readonly sender: Hex
  /** The token messenger of the destination. */
  readonly recipient: Hex
  /** Zero: any account may mint. */
  readonly destinationCaller: Hex
  readonly minFinalityThreshold: number
  /** Zero in the emitted message. */
  readonly finalityThresholdExecuted: number
  readonly bodyVersion: number
  readonly burnToken: Hex
  readonly mintRecipient: Hex
  readonly amountUnits: bigint
  /** The caller of `depositForBurn`. */
  readonly messageSender: Hex
  readonly maxFeeUnits: bigint
  /** Zero in the emitted message. */
  readonly feeExecutedUnits: bigint
  /** Zero: the message never expires. Zero in the emitted message. */
  readonly expirationBlock: bigint
  /** `0x` without a hook. */
  readonly hookData: Hex
}

/** Lower-case hex with `0x`. Every such field of a message but the hook data has 32 bytes. */
export type Hex = `0x${string}`

/** The finality that a burn asks for. The attesters take any number to 1000 as the first one. */
export const FINALITY = { fast: 1_000, standard: 2_000 } as const

export const ZERO_WORD: Hex = `0x${"0".repeat(64)}`

/** The two parts of CCTP v2 both carry this version. Version 1 has another layout. */
const VERSION = 1

type Field = keyof Omit<BurnMessage, "hookData">
type Kind = "number" | "word" | "units"

/** In the order of the bytes. `number`: 4 bytes; `word` and `units`: 32. */
const LAYOUT: readonly (readonly [Field, Kind])[] = [
  ["version", "number"],
  ["sourceDomain", "number"],
  ["destinationDomain", "number"],
  ["nonce", "word"],
  ["sender", "word"],
  ["recipient", "word"],
  ["destinationCaller", "word"],
  ["minFinalityThreshold", "number"],
  ["finalityThresholdExecuted", "number"],
  ["bodyVersion", "number"],
  ["burnToken", "word"],
  ["mintRecipient", "word"],
  ["amountUnits", "units"],
  ["messageSender", "word"],
  ["maxFeeUnits", "units"],
  ["feeExecutedUnits", "units"],
  ["expirationBlock", "units"],
]

const SHORTEST_BYTES = 376
/** The contracts bound a body to 8 KiB. */
const LONGEST_BYTES = 148 + 8_192

/** `null` for bytes that are not a burn message of this version. Hostile input never throws. */
export function decodeBurnMessage(bytes: string): BurnMessage | null {
  const text = bytes.toLowerCase()
  const size = (text.length - 2) / 2
  if (size < SHORTEST_BYTES || size > LONGEST_BYTES || !/^0x(?:[0-9a-f]{2})*$/.test(text))
    return null
  let at = 2
  const values = LAYOUT.map(([field, kind]) => {
    const digits = text.slice(at, at + digitsOf(kind))
    at += digits.length
    return [field, kind === "word" ? `0x${digits}` : readInteger(digits, kind)]
  })
  // CAST: LAYOUT has every field of the type but the last, each with its kind.
  const message = { ...Object.fromEntries(values), hookData: `0x${text.slice(at)}` } as BurnMessage
  return message.version === VERSION && message.bodyVersion === VERSION ? message : null
}

/** The bytes of a message. The caller has checked that each value fits its field. */
export function encodeBurnMessage(message: BurnMessage): Hex {
  const fields = LAYOUT.map(([field, kind]) => {
    const value = message[field]
    const digits = typeof value === "string" ? value.slice(2) : value.toString(16)
    return digits.padStart(digitsOf(kind), "0")
  })
  return `0x${fields.join("")}${message.hookData.slice(2)}`
}

/**
 * The fields in which an attested message differs from the one that the burn emitted, beside the
 * four that the attesters set. An honest answer has none.
 */
export function listAlteredFields(
  emitted: BurnMessage,
  attested: BurnMessage,
): readonly (keyof BurnMessage)[] {
  const compared = [...LAYOUT.map(([field]) => field), "hookData"] as const
  return compared.filter(
    (field) => !SET_BY_ATTESTERS.includes(field) && emitted[field] !== attested[field],
  )
}

const SET_BY_ATTESTERS: readonly (keyof BurnMessage)[] = [
  "nonce",
  "finalityThresholdExecuted",
  "feeExecutedUnits",
  "expirationBlock",
]

function digitsOf(kind: Kind): number {
  return kind === "number" ? 8 : 64
}

function readInteger(digits: string, kind: Kind): number | bigint {
  return kind === "number" ? Number.parseInt(digits, 16) : BigInt(`0x${digits}`)
}
