import { crypto } from "bitcoinjs-lib"
import type { IndexedTx } from "./block-index.ts"

/**
 * Esplora's `merkle-proof` of a confirmed transaction: the sibling of each level, from the
 * transaction up, in the notation of ids.
 */
export function formatMerkleProof({ block, position }: IndexedTx): MerkleProof | null {
  if (block === null) return null
  const merkle: string[] = []
  let level = block.txids.map(bytesOf)
  for (let at = position; level.length > 1; at >>= 1) {
    // A level of odd length repeats its last hash (Bitcoin Core, consensus/merkle.cpp).
    const sibling = level[at ^ 1] ?? level[at]
    merkle.push(idOf(sibling ?? new Uint8Array()))
    level = pairUp(level)
  }
  return { block_height: block.height, merkle, pos: position }
}

type MerkleProof = {
  readonly block_height: number
  readonly merkle: readonly string[]
  readonly pos: number
}

function pairUp(level: readonly Uint8Array[]): Uint8Array[] {
  return level.flatMap((left, at) =>
    at % 2 === 0 ? [crypto.hash256(Buffer.concat([left, level[at + 1] ?? left]))] : [],
  )
}

function bytesOf(id: string): Uint8Array {
  return Buffer.from(id, "hex").reverse()
}

function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex")
}
