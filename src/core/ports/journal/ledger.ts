import type { AssetId } from "#domain/asset.ts"
import type { BookedEntry, Booking } from "#domain/ledger.ts"

/** The books, and the summaries of ended orders that follow from them. */
export interface Ledger {
  /**
   * A booking that belongs to no step: a change that only balances show, or one after the end of
   * its order. The order's summary is true no longer, so `summarize` writes it again; without it
   * the order has none.
   */
  book(
    booking: Booking,
    at: { readonly orderId: string | null; readonly atMs: number; readonly summarize?: Summarize },
  ): void
  /** Oldest first. */
  listEntries(query: EntryQuery): readonly BookedEntry[]
  /**
   * The last postings of the accounts that begin with `prefix`, newest first, so that a view of
   * some days takes bounded time.
   */
  listLastPostings(query: {
    readonly prefix: string
    readonly fromMs: number
    readonly limit: number
    /** `false` leaves out what orders booked. */
    readonly ofOrders?: boolean
  }): readonly PostingRow[]
  /** Running sums of the accounts that begin with `prefix`, without those that sum to zero. */
  listAccounts(prefix: string): readonly AccountRow[]
  /**
   * Volume and costs of all orders requested from then on, by span of time, rule and end; `within`:
   * of those that were requested in a part of that time, its end exclusive.
   */
  sumBooks(
    fromMs: number,
    spanMs: number,
    within?: { readonly fromMs: number; readonly untilMs: number },
  ): readonly BooksSum[]
  listReconciliations(): readonly ReconciliationRow[]
  /** The reading becomes a sample of `balance/ASSET`. */
  saveReconciliation(row: ReconciliationRow): void
  /**
   * A reading over time, for plots: `balance/ASSET` in units, `transit/ASSET` in units, and
   * `price/ASSET` in millionths of a whole unit. Old samples thin out.
   */
  addSample(sample: NewSample): void
  /** Oldest first; the last sample before `fromMs` comes first, for it still held then. */
  listSamples(series: string, fromMs: number): readonly SampleRow[]
  /** The newest one that has a value; `null` where there never was one. */
  findLastSample(series: string): KnownSample | null
  /**
   * The summaries of the orders that were requested in this span of time, oldest first; `untilMs`
   * is exclusive; those alone that `filter` names. Reads row by row: take them all before the next
   * write.
   */
  listSummaries(
    span: { readonly fromMs: number; readonly untilMs: number },
    filter?: OrdersFilter,
  ): Iterable<SummaryRow>
  findSummary(id: string): SummaryRow | null
  /** The summaries of the orders of this pair that were completed last, newest first. */
  listRouteSummaries(
    pair: { readonly from: AssetId; readonly to: AssetId },
    limit: number,
  ): readonly SummaryRow[]
}

export type EntryQuery = {
  readonly key?: string
  readonly orderId?: string
  readonly fromMs?: number
  /** Exclusive. */
  readonly untilMs?: number
  /** Only entries with a higher id, and at most so many. */
  readonly afterId?: number
  readonly limit?: number
}

/**
 * Fiat in millionths. `span` counts from 0. `ended` is the outcome, or `held` or `open`. `unpriced`
 * swaps and fees are in no sum.
 */
export type BooksSum = {
  readonly span: number
  readonly rule: string
  readonly ended: string
  readonly orders: number
  /** The value sent in swaps that were paid out, and their cost without network fees. */
  readonly volumeFiat: bigint
  readonly swapCostFiat: bigint
  readonly networkFeeFiat: bigint
  readonly unpriced: number
}

export type PostingRow = { readonly atMs: number; readonly asset: AssetId; readonly units: bigint }

export type AccountRow = {
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
}

/**
 * The last comparison of the books with the chain, for one asset. `sinceMs` is the first comparison
 * with this result.
 */
export type ReconciliationRow = {
  readonly asset: AssetId
  readonly atMs: number
  readonly state: "agrees" | "unsettled" | "surplus" | "difference" | "unreadable"
  readonly ledgerUnits: bigint | null
  readonly chainUnits: bigint | null
  readonly sinceMs: number
  /** The difference for which an alert was raised. */
  readonly alarmedUnits: bigint | null
}

/** `null`: there was no reading. */
export type SampleRow = { readonly atMs: number; readonly value: bigint | null }
export type KnownSample = { readonly atMs: number; readonly value: bigint }
export type NewSample = SampleRow & { readonly series: string }

/**
 * The text of an ended order as the books show it, from all its entries; `null` without one. It
 * must not throw.
 */
export type Summarize = (entries: readonly BookedEntry[]) => string | null

/**
 * `summary` is `null` for an order that has not ended, and where the books could not show it.
 * `service` as in `OrderRow`.
 */
export type SummaryRow = {
  readonly id: string
  readonly service: string | null
  readonly summary: string | null
}

/** As in `OrdersQuery`. */
export type OrdersFilter = {
  readonly open?: boolean
  readonly state?: string
  readonly rule?: string
  readonly service?: string
  readonly from?: string
  readonly to?: string
  readonly text?: string
}
