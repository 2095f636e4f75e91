import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { expectedRefundFiat, lockedFiat } from "#domain/order-cost.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import type { OrderData } from "./data.ts"

/**
 * The parts of an order's cost. Each `…Fiat` is a decimal string in the reference currency; each
 * `…Units` is in smallest units of the source chain's own coin. `null`: not known (yet), or without
 * a price.
 */
export type OrderCostView = {
  /**
   * Service fee, spread and the payout's own network fee, by the quote and the reference prices.
   */
  readonly swapFiat: string | null
  /** Network fees of our final transactions so far. */
  readonly paidUnits: string
  readonly paidFiat: string | null
  /**
   * The highest fees of the deposit with its approval, and of a refund if the swap fails, as
   * estimated at acceptance.
   */
  readonly depositAtMostUnits: string | null
  readonly depositAtMostFiat: string | null
  readonly refundAtMostUnits: string | null
  readonly refundAtMostFiat: string | null
  /**
   * The refund by its probability at acceptance, and the cost of the locked money. Ceilings count
   * both.
   */
  readonly refundRiskFiat: string | null
  readonly lockedFiat: string | null
}

export function viewOrderCost({
  value,
  networkFeeUnits,
  feeBudget,
  policy: { way, risk },
}: OrderData): OrderCostView {
  const price = value?.nativePrice ?? null
  const fiatOf = (units: bigint | null): string | null =>
    units === null || price === null ? null : showFiat(fiatOfUnits(units, price))
  const deposit = feeBudget?.depositUnits ?? null
  const refund = feeBudget?.refundUnits ?? null
  return {
    swapFiat: showFiat(value?.feesFiat ?? null),
    paidUnits: networkFeeUnits.toString(),
    paidFiat: fiatOf(networkFeeUnits),
    depositAtMostUnits: deposit?.toString() ?? null,
    depositAtMostFiat: fiatOf(deposit),
    refundAtMostUnits: refund?.toString() ?? null,
    refundAtMostFiat: fiatOf(refund),
    refundRiskFiat:
      risk === undefined || refund === null || price === null || way !== "onchain"
        ? null
        : showFiat(expectedRefundFiat(fiatOfUnits(refund, price), risk)),
    lockedFiat:
      risk === undefined || value?.sourceFiat == null
        ? null
        : showFiat(lockedFiat(value.sourceFiat, risk)),
  }
}

function showFiat(fiat: bigint | null): string | null {
  return fiat === null ? null : formatUnits(fiat, FIAT_DECIMALS)
}
