import { HTLC } from "#domain/route/route-kind.ts"
import type { OrderKind } from "./order-kind.ts"

const TRUST = "No party: two HTLCs pay both sides, or each gets its deposit back."

/** A swap service with two HTLCs. `STATES` has its words. */
export const htlcOrders = {
  kind: HTLC,
  abilities: { isReported: true, refund: true, redeem: "secret" },
  names: { deposit: "deposit", voucher: "secret", payout: "payout", trust: TRUST },
  words: {},
  without: [],
} as const satisfies OrderKind
