import { createHash } from "node:crypto"
import {
  type BlockHeader,
  doubleHash,
  HEADER_BYTES,
  parseHeader,
  toDisplay,
} from "../proof/block-header.ts"

/**
 * The parts of a transaction by which an HTLC can be touched. All bytes are in the order of the
 * block.
 */
type BlockTransaction = {
  readonly id: Uint8Array
  /** The scripts that its outputs pay. */
  readonly scripts: readonly Uint8Array[]
  /** The ids of the transactions whose outputs it spends. */
  readonly spentIds: readonly Uint8Array[]
  readonly witness: readonly Uint8Array[]
}

/**
 * Reads the transactions of a raw block one after another, so that the caller can give way between
 * them. A block of the main network has thousands of them; bitcoinjs-lib reads all of them at once.
 *
 * Throws a `RangeError` for bytes that are no block, and for a transaction of 64 bytes without its
 * witness: its bytes could be two inner hashes of the Merkle tree, behind which a server could hide
 * other transactions (CVE-2017-12842).
 */
export function* readTransactions(block: Uint8Array): Generator<BlockTransaction> {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const cursor: Cursor = { bytes, at: HEADER_BYTES }
  for (let left = takeCount(cursor); left > 0; left--) yield takeTransaction(cursor)
}

/** The header of a raw block; `null` for bytes that are too few. */
export function headerOf(block: Uint8Array): BlockHeader | null {
  return parseHeader(block.subarray(0, HEADER_BYTES))
}

/** The Merkle root of a block with these transactions, as explorers show it. */
export function merkleRootOfAll(ids: readonly Uint8Array[]): string {
  let level = ids
  while (level.length > 1) {
    const next: Uint8Array[] = []
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] ?? NOTHING
      // The last one of an odd number stands on both sides.
      next.push(doubleHash(Buffer.concat([left, level[index + 1] ?? left])))
    }
    level = next
  }
  return toDisplay(level[0] ?? NOTHING)
}

const NOTHING = new Uint8Array()
const STRIPPED_BYTES_OF_INNER_NODE = 64

type Cursor = { readonly bytes: Buffer; at: number }

function takeTransaction(cursor: Cursor): BlockTransaction {
  const version = take(cursor, 4)
  const hasWitness = cursor.bytes[cursor.at] === 0
  if (hasWitness) take(cursor, 2)
  const start = cursor.at
  const spentIds = takeEach(cursor, () => {
    const id = take(cursor, 32)
    take(cursor, 4)
    takeText(cursor)
    take(cursor, 4)
    return id
  })
  const scripts = takeEach(cursor, () => {
    take(cursor, 8)
    return takeText(cursor)
  })
  const body = cursor.bytes.subarray(start, cursor.at)
  const witness = hasWitness ? spentIds.flatMap(() => takeEach(cursor, () => takeText(cursor))) : []
  const lockTime = take(cursor, 4)
  if (version.length + body.length + lockTime.length === STRIPPED_BYTES_OF_INNER_NODE)
    throw new RangeError("a transaction that may be an inner node of the Merkle tree")
  const once = createHash("sha256").update(version).update(body).update(lockTime).digest()
  return { id: createHash("sha256").update(once).digest(), scripts, spentIds, witness }
}

function takeEach<T>(cursor: Cursor, takeOne: () => T): readonly T[] {
  const found: T[] = []
  for (let left = takeCount(cursor); left > 0; left--) found.push(takeOne())
  return found
}

function takeText(cursor: Cursor): Buffer {
  return take(cursor, takeCount(cursor))
}

/** A number in Bitcoin's compact form. */
function takeCount(cursor: Cursor): number {
  const first = take(cursor, 1).readUInt8()
  if (first < 0xfd) return first
  if (first === 0xfd) return take(cursor, 2).readUInt16LE()
  if (first === 0xfe) return take(cursor, 4).readUInt32LE()
  return Number(take(cursor, 8).readBigUInt64LE())
}

function take(cursor: Cursor, count: number): Buffer {
  const end = cursor.at + count
  if (end > cursor.bytes.length) throw new RangeError("the block ends too early")
  const found = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  return found
}
