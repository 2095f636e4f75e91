import type { AssetId } from "#domain/asset.ts"

/** The work that orders wait for, with its due time. */
export interface Outbox {
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
