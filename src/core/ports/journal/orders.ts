import type { AssetId } from "#domain/asset.ts"
import type { Booking } from "#domain/ledger.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedRow } from "../signing-record.ts"
import type { NewDecision, Occurrence } from "./decisions.ts"
import type { OrdersFilter, Summarize } from "./ledger.ts"
import type { NewWork } from "./outbox.ts"
import type { RequestKey } from "./request-keys.ts"

/** Orders, their events and the steps that change them. */
export interface OrderStore {
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
  listOrders(query: OrdersQuery): readonly OrderRow[]
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
  listEvents(orderId: string): readonly EventRow[]
}

/**
 * Written together with a new order: the decisions that it follows from, and the key of the request
 * that asked for it.
 */
export type OrderOrigin = {
  readonly decisions?: readonly NewDecision[]
  readonly requestKey?: RequestKey | null
}

/**
 * `rule`: the orders that serve it. `before`: only those behind this order in the list. `text`: a
 * part of the id, the rule or an asset. `sinceMs`, `untilMs`: requested then; `untilMs` is
 * exclusive.
 */
export type OrdersQuery = OrdersFilter & {
  readonly limit?: number
  readonly sinceMs?: number
  readonly untilMs?: number
  readonly before?: string
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

export type OrderCount = {
  readonly state: string
  readonly outcome: string | null
  readonly service: string | null
  readonly count: number
}

export type EventRow = {
  readonly atMs: number
  readonly type: string
  readonly state: string
  readonly body: string
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
