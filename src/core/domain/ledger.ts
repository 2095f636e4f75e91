import { AppError } from "#lib/app-error.ts"
import type { AssetId } from "./asset.ts"

/**
 * One line of double entry: `units` of one asset enter (above zero) or leave (below zero) one
 * account. Smallest units.
 */
export type Posting = {
  /**
   * Parts with colons between them, such as `assets:wallet:base_sepolia`. docs/BOOKS.md lists them
   * all.
   */
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  /**
   * The value of the units at that time: millionths of the reference currency, same sign; `null`
   * without a known price.
   */
  readonly fiat: bigint | null
}

/**
 * A balanced set of postings for one change of our money. `key` names the change; within an order
 * only one live entry has it.
 */
export type LedgerEntry = {
  readonly key: string
  readonly kind: EntryKind
  /** The transaction behind the entry; `null` when only a balance shows the change. */
  readonly tx: string | null
  readonly note: string | null
  readonly postings: readonly Posting[]
}

/** The key of the entry about a transaction's network fee. */
export function feeKey(txid: string): string {
  return `fee:${txid}`
}

export type EntryKind =
  | "fee"
  | "deposit"
  | "refund"
  | "rent"
  | "payout"
  | "opening"
  | "outside"
  | "unexplained"

/**
 * The changes that one step of an order makes in the ledger. `reversedKeys` has the keys of entries
 * that the chain no longer shows.
 */
export type Booking = {
  readonly reversedKeys: readonly string[]
  readonly add: readonly LedgerEntry[]
}

/** An entry as the journal stores it. */
export type BookedEntry = LedgerEntry & {
  readonly id: number
  readonly atMs: number
  readonly orderId: string | null
  /** The entry that this one reverses, line by line. The journal deletes no entry. */
  readonly reverses: number | null
}

/** Throws `books.unbalanced` (bug) unless the units of every asset add up to zero. */
export function assertBalanced(entry: LedgerEntry): void {
  const sums = new Map<AssetId, bigint>()
  for (const { asset, units } of entry.postings) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  for (const [asset, sum] of sums) {
    if (sum === 0n) continue
    throw new AppError({
      code: "books.unbalanced",
      disposition: "bug",
      message: "A ledger entry does not balance; it was not booked",
      details: { key: entry.key, asset, sum },
    })
  }
}

/** The entry that reverses another one. `note` says why. */
export function reverseOf(entry: LedgerEntry, note = "the chain no longer shows it"): LedgerEntry {
  const postings = entry.postings.map(({ account, asset, units, fiat }) => ({
    account,
    asset,
    units: -units,
    fiat: fiat === null ? null : -fiat,
  }))
  return { ...entry, note, postings }
}
