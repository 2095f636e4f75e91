import { headerAt, heightOf } from "./header-chain.ts"
import { type AskEsplora, readMerkleBranch, readRawTransaction } from "./header-source.ts"
import type { HeaderSync } from "./header-sync.ts"
import { provesInclusion } from "./merkle-proof.ts"

/**
 * `proven`: a block with this transaction is in the chain with the most work; `confirmations` counts our own proven headers, not a server's
 * height. `unproven`: no server proved it, or the headers are not read that far yet (`headersAt`).
 */
export type Inclusion =
  | { readonly status: "proven"; readonly height: number; readonly blockHash: string; readonly confirmations: number }
  | { readonly status: "unproven"; readonly headersAt: number | null }

/** Proves that a transaction is in a block, with the proofs of any server. A server that lies or fails proves nothing, and costs nothing. */
export async function proveInclusion(
  { sync, servers }: { readonly sync: HeaderSync; readonly servers: readonly AskEsplora[] },
  txid: string,
): Promise<Inclusion> {
  await sync.advance()
  const chain = sync.proven()
  if (chain === null) return { status: "unproven", headersAt: sync.height() }
  for (const server of servers) {
    try {
      const [{ height, branch }, raw] = [await readMerkleBranch(server, txid), await readRawTransaction(server, txid)]
      const header = headerAt(chain, height)
      if (header === null || !provesInclusion(txid, raw, branch, header.merkleRoot)) continue
      return { status: "proven", height, blockHash: header.hash, confirmations: heightOf(chain) - height + 1 }
    } catch {
      // The next server may have the proof.
    }
  }
  return { status: "unproven", headersAt: heightOf(chain) }
}
