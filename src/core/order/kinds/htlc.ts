import { HTLC } from "#domain/route/route-kind.ts"
import type { OrderKind } from "./order-kind.ts"

/** A swap service with two HTLCs. `STATES` has its words. */
export const htlcOrders = {
  kind: HTLC,
  abilities: { isReported: true, refund: true, redeem: "secret" },
  names: { deposit: "deposit", voucher: "secret", payout: "payout" },
  words: {},
  without: [],
} as const satisfies OrderKind
