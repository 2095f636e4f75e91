import type { RouteKind } from "./route-kind.ts"

/**
 * What a payout of a route is taken with, such as an attested message. JSON-able; the kind's
 * folders alone read `fields`.
 */
export type RouteVoucher = {
  readonly kind: RouteKind
  /** Unique among all payouts of the kind on this chain; one order only may count it. */
  readonly nonce: string
  readonly fields: Readonly<Record<string, string>>
}
