import type { AssetId } from "./asset.ts"
import type { Reason } from "./reason.ts"
import type { RouteKind } from "./route/route-kind.ts"

/**
 * One solver's offer (service interface §2, Quote). Amounts in smallest units; values in the fiat
 * reference, millionths.
 */
export type Quote = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly destinationUnits: bigint
  /** `null` when the service gave no readable value: a missing price is a reason, never zero. */
  readonly sourceFiat: bigint | null
  readonly destinationFiat: bigint | null
  readonly solverId: string
  /** The service's own estimate, or `null`. */
  readonly estimatedSeconds: number | null
  /** The affiliate fee of the request, which the amounts include; absent for none. */
  readonly affiliateBps?: number
  /** The kind of route; absent: a swap service with HTLCs. */
  readonly kind?: RouteKind
  /**
   * `contract`: the chain pays at least `destinationUnits`, whatever the route says. Absent: an
   * unproven claim of a service.
   */
  readonly guarantee?: "contract"
  /** Until the payout at worst; `estimatedSeconds` is the usual time. */
  readonly worstSeconds?: number
  /** What must be trusted beside the chains, for people: an issuer, a set of attesters. */
  readonly trusts?: readonly string[]
  /** The highest fee of our own redemption, in the native coin of the destination. */
  readonly redeemFeeUnits?: bigint
}

/** A payout of exactly `units`, sold for at most `mostUnits`; `null` before the first quote. */
export type ExactOut = { readonly units: bigint; readonly mostUnits: bigint | null }

/** One quote that an order was chosen from, for people: a refused one has reasons. */
export type ConsideredQuote = {
  readonly service: string
  readonly solverId: string
  readonly destinationUnits: bigint
  readonly reasons: readonly Reason[]
}
