import type { Transaction } from "bitcoinjs-lib"
import { headerAt, heightOf } from "./header-chain.ts"
import { type HeaderServer, readMerkleBranch } from "./header-source.ts"
import type { HeaderSync } from "./header-sync.ts"
import { provesInclusion } from "./merkle-proof.ts"

/**
 * `proven`: the chain with the most work has this transaction in this block; `confirmations` counts
 * our own headers, never a server's height. `unproven`: no server proved it, or the headers are not
 * read that far yet. `contradicted`: the chain with the most work has another block at that height.
 */
export type Inclusion =
  | { readonly status: "proven"; readonly confirmations: number }
  | { readonly status: "unproven" | "contradicted" }

type Proving = {
  readonly sync: HeaderSync
  readonly servers: readonly HeaderServer[]
  /** Finds a transaction by bytes that hash to its id; `null` if no server has it. */
  findRaw(txid: string): Promise<Transaction | null>
}

/**
 * Proves that a block holds a transaction, with the proof of any server. A server that lies or
 * fails proves nothing, and costs nothing.
 */
export async function proveInclusion(
  { sync, servers, findRaw }: Proving,
  {
    txid,
    height,
    blockHash,
  }: { readonly txid: string; readonly height: bigint; readonly blockHash: string },
): Promise<Inclusion> {
  await sync.advance()
  const chain = sync.proven()
  const header = chain === null ? null : headerAt(chain, Number(height))
  if (chain === null || header === null) return { status: "unproven" }
  if (header.hash !== blockHash) return { status: "contradicted" }
  const transaction = await findRaw(txid)
  if (transaction === null) return { status: "unproven" }
  for (const server of servers) {
    const found = await readMerkleBranch(server, txid).catch(() => null)
    if (found !== null && provesInclusion(txid, transaction, found.branch, header.merkleRoot))
      return { status: "proven", confirmations: heightOf(chain) - Number(height) + 1 }
  }
  return { status: "unproven" }
}
