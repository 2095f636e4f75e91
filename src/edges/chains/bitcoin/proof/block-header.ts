import { createHash } from "node:crypto"

/**
 * One Bitcoin block header. `hash`, `previous` and `merkleRoot` are hex in the order in which
 * explorers show them. `time` is in seconds.
 */
export type BlockHeader = {
  readonly hash: string
  readonly previous: string
  readonly merkleRoot: string
  readonly time: number
  /** The target in compact form (`nBits`). */
  readonly bits: number
  /** The 80 bytes, hex. */
  readonly raw: string
}

export const HEADER_BYTES = 80

/**
 * Reads 80 bytes as a header; its hash is computed, never taken from a server. `null` for any other
 * length.
 */
export function parseHeader(bytes: Uint8Array): BlockHeader | null {
  if (bytes.length !== HEADER_BYTES) return null
  const raw = Buffer.from(bytes)
  return {
    hash: toDisplay(doubleHash(raw)),
    previous: toDisplay(raw.subarray(4, 36)),
    merkleRoot: toDisplay(raw.subarray(36, 68)),
    time: raw.readUInt32LE(68),
    bits: raw.readUInt32LE(72),
    raw: raw.toString("hex"),
  }
}

/** The fields of a header as Esplora lists them. */
type HeaderFields = {
  readonly version: number
  readonly previous: string
  readonly merkleRoot: string
  readonly time: number
  readonly bits: number
  readonly nonce: number
}

/** Puts the fields into the 80 bytes that miners hash (Bitcoin protocol, block headers). */
export function encodeHeader({
  version,
  previous,
  merkleRoot,
  time,
  bits,
  nonce,
}: HeaderFields): Uint8Array {
  const raw = Buffer.alloc(HEADER_BYTES)
  raw.writeInt32LE(version | 0, 0)
  fromDisplay(previous).copy(raw, 4)
  fromDisplay(merkleRoot).copy(raw, 36)
  raw.writeUInt32LE(time, 68)
  raw.writeUInt32LE(bits, 72)
  raw.writeUInt32LE(nonce, 76)
  return raw
}

/** SHA-256 of SHA-256, as Bitcoin hashes headers, transactions and the nodes of Merkle trees. */
export function doubleHash(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest()
}

/** Explorers show hashes with their bytes reversed. */
export function toDisplay(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex")
}

export function fromDisplay(hash: string): Buffer {
  return Buffer.from(hash, "hex").reverse()
}
