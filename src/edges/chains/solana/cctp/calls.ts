import type { BurnCallWords } from "#routes/cctp/kept-burn.ts"
import type { Hex } from "#routes/cctp/message.ts"

/**
 * The data of the calls of both programs, as Circle publishes them (`programs/v2` of
 * circlefin/solana-cctp-contracts; Anchor, little-endian):
 *
 * `deposit_for_burn` disc | amount u64 | destination domain u32 | mint recipient 32 | destination
 * caller 32 | max fee u64 | min finality threshold u32 · `receive_message` disc | message bytes |
 * attestation bytes, each with its length as u32.
 */
type BurnArguments = Omit<BurnCallWords, "burnToken">

const BURN = "d73c3d2e723780b0"
const MINT = "26907fe11fe1ee19"
const BURN_BYTES = 96
const MOST_UNITS = 2n ** 64n

/** The caller has checked that the amounts fit 64 bits. */
export function encodeBurnCall(call: BurnArguments): Buffer {
  const data = Buffer.alloc(BURN_BYTES)
  data.write(BURN, 0, "hex")
  data.writeBigUInt64LE(call.amountUnits, 8)
  data.writeUInt32LE(call.destinationDomain, 16)
  data.write(call.mintRecipient.slice(2), 20, "hex")
  data.write(call.destinationCaller.slice(2), 52, "hex")
  data.writeBigUInt64LE(call.maxFeeUnits, 84)
  data.writeUInt32LE(call.minFinalityThreshold, 92)
  return data
}

/** `null` for any other bytes, so also for a burn with a hook. */
export function decodeBurnCall(bytes: Uint8Array): BurnArguments | null {
  const data = Buffer.from(bytes)
  if (data.length !== BURN_BYTES || data.toString("hex", 0, 8) !== BURN) return null
  return {
    amountUnits: data.readBigUInt64LE(8),
    destinationDomain: data.readUInt32LE(16),
    mintRecipient: `0x${data.toString("hex", 20, 52)}`,
    destinationCaller: `0x${data.toString("hex", 52, 84)}`,
    maxFeeUnits: data.readBigUInt64LE(84),
    minFinalityThreshold: data.readUInt32LE(92),
  }
}

/** Does the amount fit the program's numbers? */
export function fitsProgram(units: bigint): boolean {
  return units >= 0n && units < MOST_UNITS
}

/** The mint: any account may send it, and it pays only the recipient in the message. */
export function encodeMintCall(message: Hex, attestation: Hex): Buffer {
  return Buffer.concat([
    Buffer.from(MINT, "hex"),
    ...withLength(message),
    ...withLength(attestation),
  ])
}

/** `null` for any other bytes. */
export function decodeMintCall(
  bytes: Uint8Array,
): { readonly message: Hex; readonly attestation: Hex } | null {
  const data = Buffer.from(bytes)
  if (data.length < 16 || data.toString("hex", 0, 8) !== MINT) return null
  const attestationAt = 12 + data.readUInt32LE(8)
  if (attestationAt + 4 > data.length) return null
  if (attestationAt + 4 + data.readUInt32LE(attestationAt) !== data.length) return null
  return {
    message: `0x${data.toString("hex", 12, attestationAt)}`,
    attestation: `0x${data.toString("hex", attestationAt + 4)}`,
  }
}

function withLength(hex: Hex): readonly Buffer[] {
  const bytes = Buffer.from(hex.slice(2), "hex")
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return [length, bytes]
}
