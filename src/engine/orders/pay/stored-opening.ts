import type { AssetId, ChainId } from "#domain/asset.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * A signed transaction that opens a token account, and that may still land or is not booked yet. A
 * chain has at most one.
 */
export type Opening = { readonly asset: AssetId; readonly transaction: SignedTransaction }

/** The chain's present opening; `null` without one. */
export function readOpening(journal: Pick<Journal, "readFlag">, chain: ChainId): Opening | null {
  const text = journal.readFlag(flagOf(chain))
  // CAST: `writeOpening` wrote it.
  return text === null ? null : (decodeJson(text) as Opening)
}

export function writeOpening(
  journal: Pick<Journal, "writeFlag">,
  chain: ChainId,
  opening: Opening | null,
): void {
  journal.writeFlag(flagOf(chain), opening === null ? null : encodeJson(opening))
}

/**
 * Does the transaction open a token account, or has it done so? The books keep the cost of each
 * that landed.
 */
export function isOpening(
  journal: Pick<Journal, "readFlag" | "listEntries">,
  chain: ChainId,
  txid: string,
): boolean {
  return (
    readOpening(journal, chain)?.transaction.txid === txid ||
    journal.listEntries({ key: openingKey(txid) }).length > 0
  )
}

/** The key of the books' entry about the cost of an opening. */
export function openingKey(txid: string): string {
  return `token-account:${txid}`
}

/** Native units that the chain's present opening may still take. */
export function sumOpening(journal: Pick<Journal, "readFlag">, chain: ChainId): bigint {
  return readOpening(journal, chain)?.transaction.plan.maxFeeUnits ?? 0n
}

function flagOf(chain: ChainId): string {
  return `token-account/${chain}/opening`
}
