import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { expectedRefundFiat, lockedFiat } from "#domain/order-cost.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { OrderData } from "./data.ts"

export function viewOrderCost({
  value,
  networkFeeUnits,
  feeBudget,
  policy: { way, risk },
}: OrderData): AnswerOf<"Order">["costParts"] {
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
