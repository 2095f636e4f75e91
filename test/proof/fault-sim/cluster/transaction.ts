import type { LockMode } from "./row-locks.ts"
import type { Tables } from "./tables.ts"

/** One change of the tables, which the second server repeats. */
export type Change = (tables: Tables) => void

/** The running transaction of one statement. */
export type Transaction = {
  /**
   * The tables as the statement's snapshot has them: everything that was visible when it began, and
   * whatever it has locked.
   */
  readonly tables: () => Tables
  /** Rows of the log after this number were not visible when the statement began. */
  readonly snapshot: number
  readonly nowMs: () => number
  readonly lock: (name: string, mode: LockMode) => Promise<void>
  readonly write: (change: Change) => void
  /** The server may stand still here. */
  readonly stall: () => Promise<void>
}
