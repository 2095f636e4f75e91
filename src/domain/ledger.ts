import { AppError } from "#lib/app-error.ts"
import type { AssetId } from "./asset.ts"

/** One line of double entry: `units` of one asset come to (above zero) or leave (below zero) one account. Smallest units. */
export type Posting = {
  /** Parts with colons between them, such as `assets:wallet:base_sepolia`. docs/BOOKS.md lists them all. */
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  /** What the units were worth then: millionths of the reference currency, same sign; `null` where no price is known. */
  readonly fiat: bigint | null
}

/** A balanced set of postings: one thing that happened to our money. `key` names the fact; within an order it is booked once at a time. */
export type LedgerEntry = {
  readonly key: string
  readonly kind: EntryKind
  /** The transaction that shows it; `null` for what only a balance shows. */
  readonly tx: string | null
  readonly note: string | null
  readonly postings: readonly Posting[]
}

export type EntryKind = "fee" | "deposit" | "refund" | "rent" | "payout" | "opening" | "outside" | "unexplained"

/** What one step of an order changes in the ledger. `takeBack` are keys of entries that the chain does not bear out any more. */
export type Booking = { readonly takeBack: readonly string[]; readonly add: readonly LedgerEntry[] }

/** An entry as it stands in the journal. */
export type BookedEntry = LedgerEntry & {
  readonly id: number
  readonly atMs: number
  readonly orderId: string | null
  /** The entry that this one takes back, line by line; nothing is ever deleted. */
  readonly reverses: number | null
}

/** Throws `books.unbalanced` (bug) unless the units of every asset add up to nothing. */
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

/** The entry that takes another one back. */
export function reverseOf(entry: LedgerEntry): LedgerEntry {
  const postings = entry.postings.map(({ account, asset, units, fiat }) => ({
    account,
    asset,
    units: -units,
    fiat: fiat === null ? null : -fiat,
  }))
  return { ...entry, note: "the chain does not show it any more", postings }
}
