import type { Transaction } from "bitcoinjs-lib"
import { doubleHash, fromDisplay, toDisplay } from "./block-header.ts"

/**
 * A branch of a block's Merkle tree: the siblings from the transaction up to the root, and the
 * place of the transaction in the block.
 */
type MerkleBranch = { readonly position: number; readonly siblings: readonly string[] }

/**
 * No block has more transactions than 2^17, because the smallest takes 60 bytes of at most 4 MB.
 */
const MOST_LEVELS = 17

/**
 * The root to which the branch leads. `null` for a position that the branch cannot have, and for a
 * malformed hash: two proofs of one transaction could otherwise differ.
 */
export function merkleRootOf(txid: string, { position, siblings }: MerkleBranch): string | null {
  if (!Number.isInteger(position) || position < 0 || siblings.length > MOST_LEVELS) return null
  if (position >= 2 ** siblings.length || ![txid, ...siblings].every(isHash)) return null
  const root = siblings.reduce((node, sibling, level) => {
    const other = fromDisplay(sibling)
    const isRight = Math.floor(position / 2 ** level) % 2 === 1
    return doubleHash(Buffer.concat(isRight ? [other, node] : [node, other]))
  }, fromDisplay(txid))
  return toDisplay(root)
}

/**
 * Does the branch prove that the block with this Merkle root holds the transaction, and does that
 * have this txid?
 *
 * A transaction whose stripped form has 64 bytes is refused: its bytes could be two inner hashes of
 * the tree (CVE-2017-12842).
 */
export function provesInclusion(
  txid: string,
  transaction: Transaction,
  branch: MerkleBranch,
  merkleRoot: string,
): boolean {
  if (transaction.getId() !== txid || transaction.byteLength(false) === INNER_NODE_BYTES)
    return false
  return merkleRootOf(txid, branch) === merkleRoot
}

const INNER_NODE_BYTES = 64

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
