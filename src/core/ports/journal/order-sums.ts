import type { AssetId, ChainId } from "#domain/asset.ts"

/** Sums and counts over orders, for limits, balances and the judgement of routes. */
export interface OrderSums {
  /**
   * Sums over the orders that are in flight or that count from a time after `sinceMs`
   * (`countedAtMs`). Rejected and abandoned orders count with their fees only, because they sold
   * nothing.
   */
  sumWindow(sinceMs: number, unitsOf: AssetId, exceptOrder: string | null): WindowSum
  /**
   * The orders of one rule that are open or ended after `sinceMs`. Rejected and abandoned ones
   * count without their value.
   */
  sumRule(rule: string, sinceMs: number): RuleSum
  /**
   * The number of orders in flight without those in `settling` and `proving-unfunded`: all, or
   * those that serve one rule, those of one pair, one chain at either end, or one service.
   */
  countInFlight(of?: InFlightScope): number
  /** The value of all orders of one service or route that have not ended, but one. */
  sumFiatWith(service: string, exceptOrder: string | null): bigint
  /** Of those in flight, the ones that are paid on this chain. */
  countPaidOn(chain: ChainId): number
  /**
   * Of these, the ones whose payout needs our redemption, or may need it: their secret is told, and
   * no redemption is final.
   */
  countRedeemedOn(chain: ChainId): number
  /** Native units that orders in flight from this chain may still need for network fees. */
  sumReservedFees(chain: ChainId, exceptOrder: string | null): bigint
  /** Units of the asset that open orders have accepted and not yet deposited. */
  sumCommitted(asset: AssetId, exceptOrder: string | null): bigint
  /**
   * The orders of a pair, or those that served a rule, that were rejected, refunded or held since
   * its last completed order.
   */
  readFailures(of: Exclude<InFlightScope, { chain: ChainId } | { service: string }>): {
    readonly count: number
    readonly lastMs: number | null
  }
  /**
   * What the completed orders that served a rule and ended since a time brought to the asset and
   * took from it.
   */
  sumCorrections(of: {
    readonly rule: string
    readonly asset: AssetId
    readonly sinceMs: number
  }): {
    readonly orders: number
    readonly inFiat: bigint
    readonly outFiat: bigint
  }
  /** How the latest deposits of a pair ended, of at most so many orders. */
  countEndings(pair: { readonly from: AssetId; readonly to: AssetId }, latest: number): PairEndings
}

type WindowSum = {
  readonly fiat: bigint
  readonly feesFiat: bigint
  readonly count: number
  readonly units: bigint
}

type RuleSum = {
  readonly fiat: bigint
  /** Orders without a known value. */
  readonly unknown: number
  readonly count: number
  readonly inFlight: number
}

export type InFlightScope =
  | { readonly rule: string }
  | { readonly from: AssetId; readonly to: AssetId }
  | { readonly chain: ChainId }
  | { readonly service: string }

export type PairEndings = { readonly completed: number; readonly refunded: number }
