import type { AssetId, ChainId } from "#domain/asset.ts"
import type { BookedEntry, Booking } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"

/**
 * The journal: what Ballast knows, on disk. Synchronous on purpose: when a call returns, the fact is durable (`synchronous=FULL`), and two
 * admissions can never interleave. If a call throws, nothing was written.
 */
export interface Journal {
  /**
   * Order row, first event, first work, the occurrence that caused it and the decisions that it follows from, in one transaction.
   * `journal.occurrence_taken` when that one fired before.
   */
  openOrder(
    order: OrderRow,
    event: EventRow,
    work: NewWork | null,
    occurrence: Occurrence | null,
    decisions?: readonly NewDecision[],
  ): void
  /**
   * One step of one order, in one transaction. Throws `journal.resource_taken` (transient) when a resource is reserved by another order,
   * `journal.secret_hash_taken` (refused) when another order has its secret hash.
   */
  commit(step: StepRow): void

  findOrder(id: string): OrderRow | null
  /** Newest first. `open`: without an outcome, and not `disarmed`, which is only watched. */
  listOrders(query: { readonly limit: number; readonly open?: boolean }): readonly OrderRow[]
  listEvents(orderId: string): readonly EventRow[]
  listAlerts(limit: number): readonly AlertRow[]

  /** Work that is due, oldest first; also what is due after `farMs`, if given: so far ahead that only a clock set back explains it. */
  listDueWork(nowMs: number, limit: number, farMs?: number): readonly WorkRow[]
  /** Counts a beginning, durably, before a write leaves the house: a second beginning knows that there was a first. */
  beginWork(id: number): void
  postponeWork(id: number, dueAtMs: number): void
  hasWork(id: number): boolean

  /** Resources (nonces, outpoints, locks) under this prefix that any order but `exceptOrder` holds. */
  listReserved(prefix: string, exceptOrder?: string): ReadonlySet<string>
  /**
   * Inserts or fails, before the key is touched: one live signature per order and purpose, unless the same digest again or one that
   * shares an exclusive claim with every live one. Throws `journal.signature_claimed` (hold).
   */
  claimSignature(claim: SignatureClaim): void
  /** Claimed, and neither stored nor proven over: bytes may have been made that the journal does not have. */
  isClaimOpen(orderId: string, purpose: string, digest: string): boolean
  isSecretHashKnown(secretHash: string, exceptOrder: string): boolean

  /**
   * Sums over orders that are in flight, and those that count from after `sinceMs` on (`countedAtMs`). Rejected and abandoned ones count with
   * their fees only: they sold nothing.
   */
  sumWindow(sinceMs: number, unitsOf: AssetId, exceptOrder: string | null): WindowSum
  /** All that are in flight, or those of one rule, pair, or chain at either end. */
  countInFlight(of?: InFlightScope): number
  /** Native units that orders in flight from this chain may still need for network fees. */
  sumReservedFees(chain: ChainId, exceptOrder: string | null): bigint
  /** Units of the asset that open orders have accepted and not yet deposited. */
  sumCommitted(asset: AssetId, exceptOrder: string | null): bigint
  /** Orders of a pair or rule that were rejected, refunded or held since its last completed one. */
  readFailures(of: Exclude<InFlightScope, { chain: ChainId }>): {
    readonly count: number
    readonly lastMs: number | null
  }

  /** `order` and `decision` of a settled occurrence; `null` when it never fired. */
  findOccurrence(id: string): { readonly orderId: string | null; readonly settledAtMs: number } | null
  /** An occurrence that ends without an order (skipped, declined), and the decision that says so where it was not written before. */
  settleOccurrence(occurrence: Occurrence, reasons: string, decision?: NewDecision): void
  /**
   * A known id is written anew and keeps its orders. Otherwise, what says the same as the rule's last decision, and of which no order came, only
   * raises that one's count and its last time; only then false is answered. Old decisions of which no order came are forgotten (`KEPT_DECISIONS`).
   */
  recordDecision(decision: NewDecision): boolean
  findDecision(id: string): DecisionRow | null
  /** What a decision was made from, as text; `null` when nothing has that hash. */
  findInputs(hash: string): string | null
  /** Newest first. */
  listDecisions(query: { readonly rule: string | null; readonly limit: number }): readonly DecisionRow[]

  /** A booking beside the orders: what only balances show, or what came after an order's end. */
  book(booking: Booking, at: { readonly orderId: string | null; readonly atMs: number }): void
  /** Oldest first. */
  listEntries(query: EntryQuery): readonly BookedEntry[]
  /** Running sums of the accounts that begin with `prefix`; those that are even are left out. */
  listAccounts(prefix: string): readonly AccountRow[]
  listReconciliations(): readonly ReconciliationRow[]
  saveReconciliation(row: ReconciliationRow): void
  /** An alert of no single order. */
  raiseAlert(atMs: number, reason: Reason): void

  readFlag(key: string): string | null
  writeFlag(key: string, value: string | null): void
  close(): void
}

/** The flat face of an order, and its whole state as text. Amounts in smallest units, fiat in millionths. */
export type OrderRow = {
  readonly id: string
  readonly state: string
  readonly outcome: string | null
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly sourceFiat: bigint | null
  /** At worst while in flight, as it came out once final. */
  readonly feeFiat: bigint | null
  /** Native units that the network may still take at worst; 0 once final. */
  readonly feeUnits: bigint
  /** From when on the order counts in windows: its deposit, or before that its acceptance. */
  readonly countedAtMs: number
  readonly deposited: boolean
  readonly secretHash: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly snapshot: string
}

export type InFlightScope =
  | { readonly rule: string }
  | { readonly from: AssetId; readonly to: AssetId }
  | { readonly chain: ChainId }

export type EventRow = { readonly atMs: number; readonly type: string; readonly state: string; readonly body: string }
export type NewWork = { readonly body: string; readonly dueAtMs: number }
export type WorkRow = {
  readonly id: number
  readonly orderId: string
  readonly body: string
  readonly dueAtMs: number
  /** How often it was begun before. */
  readonly begun: number
}
export type AlertRow = { readonly atMs: number; readonly orderId: string | null; readonly reason: Reason }
export type Occurrence = { readonly id: string; readonly rule: string; readonly atMs: number }
export type WindowSum = {
  readonly fiat: bigint
  readonly feesFiat: bigint
  readonly count: number
  readonly units: bigint
}

export type StepRow = {
  readonly order: OrderRow
  readonly event: EventRow
  /** The work that caused the event; its row must still be there, or `journal.stale_work` (aborted) is thrown. */
  readonly cause: number | null
  readonly work: NewWork | null
  readonly reserve: readonly string[]
  /** `all`: everything that the order holds; else the prefix of what is let go. */
  readonly release: "all" | string | null
  /** Signed bytes, stored before the network hears of them. */
  readonly signed: SignedRow | null
  /** This purpose's signatures are proven over: mined, or excluded for good. */
  readonly settle: string | null
  readonly alerts: readonly Reason[]
  readonly booking: Booking
}

export type EntryQuery = {
  readonly key?: string
  readonly orderId?: string
  readonly fromMs?: number
  /** Exclusive. */
  readonly untilMs?: number
}
export type AccountRow = { readonly account: string; readonly asset: AssetId; readonly units: bigint }

/** How the ledger's wallet and the chain's compared the last time. `sinceMs`: when the state was first seen so. */
export type ReconciliationRow = {
  readonly asset: AssetId
  readonly atMs: number
  readonly state: "agrees" | "unsettled" | "surplus" | "difference" | "unreadable"
  readonly ledgerUnits: bigint | null
  readonly chainUnits: bigint | null
  readonly sinceMs: number
  /** The difference that an alert was raised for. */
  readonly alarmedUnits: bigint | null
}

export type SignedRow = {
  readonly purpose: string
  readonly attempt: number
  readonly digest: string
  readonly txid: string
  readonly raw: string
}
export type SignatureClaim = {
  readonly orderId: string
  readonly purpose: string
  readonly attempt: number
  readonly digest: string
  readonly resources: readonly string[]
  readonly atMs: number
}

export type NewDecision = {
  readonly id: string
  readonly atMs: number
  readonly rule: string
  readonly verdict: Verdict
  readonly body: string
  /** Everything that it was made from, as text. */
  readonly inputs: string | null
  readonly configHash: string | null
}

export type Verdict = "proposed" | "declined"

export type DecisionRow = Omit<NewDecision, "inputs"> & {
  /** The first of `orders`. */
  readonly orderId: string | null
  readonly orders: readonly string[]
  /** The hash of what it was made from. */
  readonly inputs: string | null
  /** Ticks in a row that came to the same end; the record is written once. */
  readonly times: number
  /** When it last came to that end; `atMs` is when it first did. */
  readonly lastAtMs: number
}
