import type { Reason } from "#domain/reason.ts"

/** Alerts that were raised, and what operators asked for. */
export interface NoticeStore {
  /**
   * An alert that belongs to no order. With `pause` the same transaction pauses everything until an
   * operator acknowledges it.
   */
  raiseAlert(atMs: number, reason: Reason, effect?: "alert" | "pause"): void
  listAlerts(limit: number): readonly AlertRow[]
  countAlerts(): number
  /** Writes a changing request down, before it is carried out. */
  recordOperatorCall(call: OperatorCall): void
  /** Newest first; with `subject` only the requests about that order, chain, rule or asset. */
  listOperatorCalls(query: {
    readonly subject?: string
    readonly limit: number
    /** Only those with a lower `seq`. */
    readonly before?: number
  }): readonly (OperatorCall & { readonly seq: number })[]
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
