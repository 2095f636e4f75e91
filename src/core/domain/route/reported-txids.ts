/** How the nodes of a chain family write the id of a transaction. */
export type TxidForm =
  /** 64 hex digits: Bitcoin. */
  | "hex"
  /** `0x` and 64 hex digits: EVM. */
  | "0x-hex"
  /** `0x` and hex digits without leading zeros: Starknet. */
  | "felt"
  /** Base58, where upper and lower case are different digits: Solana. */
  | "base58"

/**
 * The transaction ids in a hash field of the service, each as our own nodes write it.
 *
 * The service writes hex with or without `0x`, in upper or lower case and without leading zeros,
 * `txid:blockheight`, and several transactions with commas between them (service interface §2,
 * field notes). `form` is `null` for a chain that is not configured: then an id keeps its notation.
 * A part that is no id stays as it is.
 */
export function readReportedTxids(text: string | null, form: TxidForm | null): readonly string[] {
  const parts = (text ?? "").split(",").map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== "").map((part) => writeTxid(part, form)))]
}

/** The ids alone, and only the first few: each one becomes a question to a node. */
export function readHintedTxids(text: string | null, form: TxidForm): readonly string[] {
  return readReportedTxids(text, form)
    .filter((id) => ID[form].test(id))
    .slice(0, MAX_HINTS)
}

/** The service writes the hints; a long list must not make us ask for thousands of transactions. */
const MAX_HINTS = 8

/** Whether two notations name one transaction. Base58 ids are longer than any hex id. */
export function isSameTxid(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other)
}

const ID: Readonly<Record<TxidForm, RegExp>> = {
  hex: /^[0-9a-f]{64}$/,
  "0x-hex": /^0x[0-9a-f]{64}$/,
  felt: /^0x[0-9a-f]{1,64}$/,
  base58: /^[1-9A-HJ-NP-Za-km-z]+$/,
}
const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i

function writeTxid(part: string, form: TxidForm | null): string {
  const id = part.replace(/(?::\d+)+$/, "")
  const digits = HEX.exec(id)?.[1]?.toLowerCase()
  switch (form) {
    case "hex":
      return digits?.padStart(64, "0") ?? part
    case "0x-hex":
      return digits === undefined ? part : `0x${digits.padStart(64, "0")}`
    case "felt":
      return digits === undefined ? part : `0x${withoutZeros(digits)}`
    case "base58":
      return ID.base58.test(id) ? id : part
    case null:
      return digits !== undefined || ID.base58.test(id) ? id : part
  }
}

function keyOf(id: string): string {
  const digits = HEX.exec(id)?.[1]
  return digits === undefined ? id : withoutZeros(digits.toLowerCase())
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, "")
}
