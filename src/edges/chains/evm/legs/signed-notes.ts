import type { Hex } from "viem"
import type { SignedTransaction } from "#domain/transaction.ts"
import { nonceOf } from "../spend/unsigned.ts"

/**
 * The transactions of ours that this process has seen, by nonce. They are the first candidates for
 * a rival, because only our key can use our nonces. A note proves nothing by itself: each candidate
 * is fetched and checked. The oldest notes go first.
 */
export type SignedNotes = {
  note(transaction: SignedTransaction): void
  listBy(nonce: number): readonly Hex[]
}

export function createSignedNotes(): SignedNotes {
  const byNonce = new Map<number, Hex[]>()
  return {
    note: ({ plan, txid }) => {
      const nonce = nonceOf(plan)
      const known = byNonce.get(nonce) ?? []
      // CAST: the signer wrote the txid as 0x-hex.
      if (!known.includes(txid as Hex)) byNonce.set(nonce, [...known, txid as Hex])
      const [oldest] = byNonce.keys()
      if (byNonce.size > MAX_NONCES && oldest !== undefined) byNonce.delete(oldest)
    },
    listBy: (nonce) => byNonce.get(nonce) ?? [],
  }
}

const MAX_NONCES = 2_000
