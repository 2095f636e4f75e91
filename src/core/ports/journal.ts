import type { AssetId, ChainId } from "#domain/asset.ts"
import type { BookedEntry, Booking } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedRow, SigningRecord } from "./signing-record.ts"

/**
 * The journal: everything that Ballast knows, on disk. It is synchronous on purpose: when a call
 * returns, every later read shows its write, and two admissions can never interleave. If a call
 * throws, it has written nothing.
 *
 * A write is on disk when `durable` resolves (ADR 42). Nothing leaves the process because of a
 * write before that (ADR 24).
 */
export interface Journal extends SigningRecord {
  /**
   * Writes the order row, its first event, its first work, its occurrence, its decisions and its
   * request's key in one transaction. Throws `journal.occurrence_taken` when the occurrence was
   * settled before, and `journal.request_key_taken` when another request has the key.
   */
  openOrder(
    order: OrderRow,
    event: EventRow,
    work: NewWork | null,
    occurrence: Occurrence | null,
    beside?: OrderOrigin,
  ): void
  /**
   * Writes one step of one order in one transaction. Throws `journal.resource_taken` (transient)
   * when another order reserves a resource, and `journal.secret_hash_taken` (refused) when another
   * order has the same secret hash.
   */
  commit(step: StepRow): void

  findOrder(id: string): OrderRow | null
  /**
   * Newest first; without a limit all. `open`: without an outcome, and not `disarmed`; a disarmed
   * order is only watched.
   */
  listOrders(query: { readonly limit?: number; readonly open?: boolean }): readonly OrderRow[]
  /** All open orders, as `listOrders` counts them, without their content. */
  listOpenRefs(): readonly OrderRef[]
  /** The ended and disarmed orders that changed at this time or later, without their content. */
  listEndedRefs(sinceMs: number): readonly OrderRef[]
  /** The number of all orders, by state and service. */
  countOrders(): readonly OrderCount[]
  /** Every order to this asset that our own node shows as paid by this transaction, however old. */
  listPaidBy(to: AssetId, txid: string): readonly OrderRow[]
  /** Every order that changed at this time or later. */
  listChangedSince(sinceMs: number): readonly OrderRow[]
  /** The rejected ones of them that name this reason, newest first, at most `limit`. */
  listRejectedFor(code: string, sinceMs: number, limit: number): readonly OrderRow[]
  /**
   * The summaries of the orders that were requested in this span of time, oldest first; `untilMs`
   * is exclusive. Reads row by row: take them all before the next write.
   */
  listSummaries(span: { readonly fromMs: number; readonly untilMs: number }): Iterable<SummaryRow>
  findSummary(id: string): SummaryRow | null
  /** The summaries of the orders of this pair that were completed last, newest first. */
  listRouteSummaries(
    pair: { readonly from: AssetId; readonly to: AssetId },
    limit: number,
  ): readonly SummaryRow[]
  listEvents(orderId: string): readonly EventRow[]
  listAlerts(limit: number): readonly AlertRow[]

  /**
   * Work that is due until then, oldest first. With `nowMs` also the work of orders that changed
   * after it (`isAhead`).
   */
  listDueWork(untilMs: number, limit: number, nowMs?: number): readonly WorkRow[]
  /**
   * Counts the start of a piece of work, durably, before its first write to the network: after a
   * crash the second run knows that a first one began.
   */
  beginWork(id: number): void
  postponeWork(id: number, dueAtMs: number): void
  /**
   * The work was tried at `atMs` and is due again then. Kept in memory only: a restart finds it due
   * at the time that was written last. Throws `journal.stale_work` (aborted) when the row is gone.
   */
  restWork(id: number, dueAtMs: number, atMs: number): void
  /**
   * The order's work is due at this time, if it was due later. Kept in memory only, as `restWork`.
   * Returns false when the order has no work.
   */
  hastenWork(orderId: string, dueAtMs: number): boolean
  hasWork(id: number): boolean
  /**
   * The time at which the order's work is due; `null` when it has none. A second process knows the
   * time that was written last.
   */
  findDueMs(orderId: string): number | null

  /**
   * The resources (nonces, outpoints, locks) under this prefix that orders other than `exceptOrder`
   * hold, without the prefix.
   */
  listReserved(prefix: string, exceptOrder?: string): ReadonlySet<string>
  /** The order that holds this resource; `null` when it is free. */
  findHolder(resource: string): string | null
  isSecretHashKnown(secretHash: string, exceptOrder: string): boolean

  /**
   * Sums over the orders that are in flight or that count from a time after `sinceMs`
   * (`countedAtMs`). Rejected and abandoned orders count with their fees only, because they sold
   * nothing.
   */
  sumWindow(sinceMs: number, unitsOf: AssetId, exceptOrder: string | null): WindowSum
  /**
   * The number of orders in flight without those in `settling` and `proving-unfunded`: all, or
   * those that serve one rule, those of one pair, one chain at either end, or one service.
   */
  countInFlight(of?: InFlightScope): number
  /** Of those, the ones that are paid on this chain. */
  countPaidOn(chain: ChainId): number
  /** Native units that orders in flight from this chain may still need for network fees. */
  sumReservedFees(chain: ChainId, exceptOrder: string | null): bigint
  /** Units of the asset that open orders have accepted and not yet deposited. */
  sumCommitted(asset: AssetId, exceptOrder: string | null): bigint
  /**
   * The orders of a pair, or those that served a rule, that were rejected, refunded or held since
   * its last completed order.
   */
  readFailures(of: Exclude<InFlightScope, { chain: ChainId } | { service: string }>): {
    readonly count: number
    readonly lastMs: number | null
  }

  /**
   * What the completed orders that served a rule and ended since a time brought to the asset and
   * took from it.
   */
  sumCorrections(of: {
    readonly rule: string
    readonly asset: AssetId
    readonly sinceMs: number
  }): {
    readonly orders: number
    readonly inFiat: bigint
    readonly outFiat: bigint
  }
  /** How the latest deposits of a pair ended, of at most so many orders. */
  countEndings(pair: { readonly from: AssetId; readonly to: AssetId }, latest: number): PairEndings

  /**
   * The order of a request's key; `orderId` is `null` for a withdrawn key, and the answer `null`
   * for an unknown one.
   */
  findRequestKey(key: string): RequestKeyRow | null
  /**
   * No later request may open an order under this key. Throws `journal.request_key_taken` when the
   * key is known.
   */
  withdrawRequestKey(key: string, atMs: number): void

  /** A settled occurrence and its order, if it has one; `null` when it is not settled. */
  findOccurrence(
    id: string,
  ): { readonly orderId: string | null; readonly settledAtMs: number } | null
  /**
   * The settled occurrences of a rule, newest first. `reasons`: why one has no order, as text;
   * `null` with an order.
   */
  listOccurrences(rule: string, limit: number): readonly SettledOccurrence[]
  /**
   * Settles an occurrence without an order (skipped or declined), with its decision unless that is
   * written already.
   */
  settleOccurrence(occurrence: Occurrence, reasons: string, decision?: NewDecision): void
  /**
   * A decision with a known id replaces the stored one and keeps its orders. A decision that equals
   * the rule's last one, when that has no orders, only raises its count and its last time; only
   * then the answer is false. Old decisions without orders are deleted (`KEPT_DECISIONS`).
   */
  recordDecision(decision: NewDecision): boolean
  findDecision(id: string): DecisionRow | null
  /** The inputs of a decision, as text; `null` when no inputs have that hash. */
  findInputs(hash: string): string | null
  /** Newest first. */
  listDecisions(query: {
    readonly rule: string | null
    readonly limit: number
  }): readonly DecisionRow[]

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
  }): readonly PostingRow[]
  /** Running sums of the accounts that begin with `prefix`, without those that sum to zero. */
  listAccounts(prefix: string): readonly AccountRow[]
  /** Volume and costs of all orders requested from then on, by span of time, rule and end. */
  sumBooks(fromMs: number, spanMs: number): readonly BooksSum[]
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
  /**
   * An alert that belongs to no order. With `pause` the same transaction pauses everything until an
   * operator acknowledges it.
   */
  raiseAlert(atMs: number, reason: Reason, effect?: "alert" | "pause"): void

  /** Writes a changing request down, before it is carried out. */
  recordOperatorCall(call: OperatorCall): void
  /** Newest first; with `subject` only the requests about that order, chain, rule or asset. */
  listOperatorCalls(query: {
    readonly subject?: string
    readonly limit: number
  }): readonly OperatorCall[]

  readFlag(key: string): string | null
  /**
   * `note`: the next look writes the value again, so a test that kills the process after each write
   * passes over it.
   */
  writeFlag(key: string, value: string | null, weight?: "note"): void

  /**
   * Whether the journal has so many bytes of space in its own files, beside that of its log: then
   * it writes on for so long while the disk is full. Asks the disk for more where they are missing,
   * after it has written everything so far.
   */
  keepSpace(bytes: number): boolean
  /**
   * Whether the paths of the journal's files still lead to the open ones. Where they do not, each
   * further write ends with this process.
   */
  findPlace(): "in_place" | "deleted" | "replaced"
  /**
   * Writes a complete copy to `file`, over an earlier one, beside the event loop. It works where
   * the journal's own files are deleted. Throws `system.*` (transient), or the error of SQLite.
   */
  saveTo(file: string): Promise<void>
  /**
   * Resolves when every write so far is on disk, and in the log of the cluster if there is one.
   * Throws `journal.write_failed` (transient) when the disk refused them: then they did not happen.
   */
  durable(): Promise<void>
  /** Some writes are not durable yet. */
  isPending(): boolean
  /** As `durable`, for this machine's disk alone. Without a cluster both are the same. */
  durableHere(): Promise<void>
  /** Some writes are not on this machine's disk yet. */
  isPendingHere(): boolean
  /** How many groups of writes the disk has refused since the journal was opened. */
  countRefused(): number
  /**
   * Whether every decision about the secret of this order, or about this secret hash, is durable;
   * `null` without a decision.
   */
  areDecisionsDurable(orderOrHash: string): boolean | null
  /**
   * Writes down which groups the log has, so that the next start recognises a log that lacks one of
   * them. Each group takes the acknowledgements before it along; this is for the last one. Does
   * nothing without a log.
   */
  noteAcknowledged(): void
  /** Undoes what is not on disk, as the death of the process would; for tests. */
  abandon(): void
  /** Writes everything to disk first. */
  close(): void
}

/**
 * Written together with a new order: the decisions that it follows from, and the key of the request
 * that asked for it.
 */
export type OrderOrigin = {
  readonly decisions?: readonly NewDecision[]
  readonly requestKey?: RequestKey | null
}

/** The idempotency key of a request from outside, and the hash of the request's content. */
export type RequestKey = { readonly key: string; readonly request: string }
/** `request` is `null` for a withdrawn key. */
export type RequestKeyRow = {
  readonly key: string
  readonly request: string | null
  readonly orderId: string | null
}

/** An order without its content. */
export type OrderRef = {
  readonly id: string
  readonly from: AssetId
  readonly to: AssetId
  readonly updatedAtMs: number
  /** Changes whenever the row changes. Only comparable within one process. */
  readonly revision: number
}

/**
 * The columns of an order that are searched or summed, and the whole order as text. Amounts in
 * smallest units, fiat in millionths.
 */
export type OrderRow = {
  readonly id: string
  readonly state: string
  readonly outcome: string | null
  readonly rule: string
  /** The other rule that the order serves; it counts for both. */
  readonly secondRule?: string | null
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly sourceFiat: bigint | null
  /** The highest fees while the order is in flight, the actual fees once it is final. */
  readonly feeFiat: bigint | null
  /** The most native units that the network may still take; 0 once the order is final. */
  readonly feeUnits: bigint
  /**
   * The time from which the order counts in windows: its deposit, or its acceptance before the
   * deposit.
   */
  readonly countedAtMs: number
  readonly deposited: boolean
  readonly secretHash: string | null
  /** The transaction of the payout, once our own node shows it. */
  readonly payoutTx?: string | null
  /** The service that the order is with; `null` before its first quote. */
  readonly service?: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly snapshot: string
  /**
   * The snapshot in pieces, in rows to write: the journal compares them with those of the step
   * before. No read has them.
   */
  readonly pieces?: readonly string[]
}

/**
 * The number of groups that a journal has taken from its log, and the hash of all of them in order.
 */
export type ReplicaPosition = { readonly seq: number; readonly hash: string }
/** The changes of one group, as the log stores them. `hash` covers this group and all before it. */
export type LoggedGroup = ReplicaPosition & { readonly changeset: Uint8Array }

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

export type PairEndings = { readonly completed: number; readonly refunded: number }

export type OrderCount = {
  readonly state: string
  readonly outcome: string | null
  readonly service: string | null
  readonly count: number
}

export type InFlightScope =
  | { readonly rule: string }
  | { readonly from: AssetId; readonly to: AssetId }
  | { readonly chain: ChainId }
  | { readonly service: string }

export type EventRow = {
  readonly atMs: number
  readonly type: string
  readonly state: string
  readonly body: string
}
export type NewWork = { readonly body: string; readonly dueAtMs: number }
export type WorkRow = {
  readonly id: number
  readonly orderId: string
  readonly body: string
  readonly dueAtMs: number
  /** How many earlier runs began. */
  readonly begun: number
  /**
   * The order changed in the future: the clock was set back since, so the time at which the work is
   * due means nothing.
   */
  readonly isAhead: boolean
  /** The order's pair and service; the service is empty before its first quote. */
  readonly from: AssetId
  readonly to: AssetId
  readonly service: string
}
export type AlertRow = {
  readonly atMs: number
  readonly orderId: string | null
  readonly reason: Reason
}
/**
 * `caller` is the name of the token, `source` the address, `subject` the id that the request is
 * about, `body` its JSON.
 */
type OperatorCall = {
  readonly atMs: number
  readonly caller: string
  readonly source: string
  readonly action: string
  readonly subject: string | null
  readonly body: string
}
export type SettledOccurrence = {
  readonly id: string
  readonly atMs: number
  readonly orderId: string | null
  readonly reasons: string | null
}

export type Occurrence = { readonly id: string; readonly rule: string; readonly atMs: number }
type WindowSum = {
  readonly fiat: bigint
  readonly feesFiat: bigint
  readonly count: number
  readonly units: bigint
}

export type StepRow = {
  readonly order: OrderRow
  readonly event: EventRow
  /**
   * The work that caused the event. If it is no longer the order's work, `commit` throws
   * `journal.stale_work` (aborted).
   */
  readonly cause: number | null
  readonly work: NewWork | null
  readonly reserve: readonly string[]
  /** The reservations to release: `all` of the order, or those under this prefix. */
  readonly release: "all" | string | null
  /** Signed bytes, stored before they are sent. */
  readonly signed: SignedRow | null
  /** The signed bytes of the transaction on the nonce before, where both were signed together. */
  readonly signedBeside?: SignedRow | null
  /**
   * All signatures of this purpose are settled: a final block holds one of them, or excludes all.
   */
  readonly settle: string | null
  /**
   * The purposes of an ended order with a transaction in a block: their nonces and inputs are used
   * up.
   */
  readonly alsoSettle?: readonly string[]
  readonly alerts: readonly Reason[]
  /** Those of `alerts` that pause everything, in the same transaction. */
  readonly pausing?: readonly Reason[]
  readonly booking: Booking
  /** Writes the summary of an order that ends with this step. Without it the order has none. */
  readonly summarize?: Summarize
}

export type EntryQuery = {
  readonly key?: string
  readonly orderId?: string
  readonly fromMs?: number
  /** Exclusive. */
  readonly untilMs?: number
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
export type NewSample = SampleRow & { readonly series: string }

export type NewDecision = {
  readonly id: string
  readonly atMs: number
  readonly rule: string
  readonly verdict: Verdict
  readonly body: string
  /** All inputs of the decision, as text. */
  readonly inputs: string | null
  readonly configHash: string | null
}

type Verdict = "proposed" | "declined"

export type DecisionRow = Omit<NewDecision, "inputs"> & {
  /** The first of `orders`. */
  readonly orderId: string | null
  readonly orders: readonly string[]
  /** The hash of its inputs. */
  readonly inputs: string | null
  /** The number of consecutive ticks with the same decision; it is stored once. */
  readonly times: number
  /** The last tick with this decision; `atMs` is the first. */
  readonly lastAtMs: number
}
