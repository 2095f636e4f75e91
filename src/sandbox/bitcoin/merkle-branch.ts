import { createHash } from "node:crypto"
import type { IndexedBlock } from "./block-index.ts"

/** The answer of Esplora's `/tx/:txid/merkle-proof`: the siblings from the transaction up to the root, as explorers show hashes. */
export function formatMerkleProof(
  { height, txids }: IndexedBlock,
  position: number,
): Readonly<Record<string, unknown>> {
  const merkle: string[] = []
  let level = txids.map((txid) => Buffer.from(txid, "hex").reverse())
  for (let at = position; level.length > 1; at = at >> 1) {
    // The last node of an odd level is its own sibling (Bitcoin protocol, Merkle trees).
    const sibling = level[at ^ 1] ?? level[at]
    merkle.push(
      Buffer.from(sibling ?? [])
        .reverse()
        .toString("hex"),
    )
    level = parentsOf(level)
  }
  return { block_height: height, merkle, pos: position }
}

function parentsOf(level: readonly Buffer[]): Buffer<ArrayBuffer>[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
    const left = level[2 * index] ?? Buffer.alloc(0)
    return doubleHash(Buffer.concat([left, level[2 * index + 1] ?? left]))
  })
}

function doubleHash(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest()
}
