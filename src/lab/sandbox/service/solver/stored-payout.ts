/** The affiliate fees of one week, payout asset and address that a transfer must pay. */
export type AccruedPayout = {
  /** ISO 8601 week, such as `2026-W47`. */
  readonly week: string
  readonly asset: string
  readonly address: string
  /** Smallest units. */
  readonly amount: string
  readonly orders: readonly string[]
}

/**
 * One attempt to pay an accrued payout. `tx` is `null` when the transfer failed, with the cause in
 * `reason`.
 */
export type StoredPayout = AccruedPayout & {
  readonly tx: string | null
  readonly reason: string | null
}
