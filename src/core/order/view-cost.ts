import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { expectedRefundFiat, lockedFiat } from "#domain/order-cost.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { OrderData } from "./data.ts"

type CostView = Pick<AnswerOf<"Order">, "fiat" | "costFiat" | "costParts">

export function viewOrderCost(data: OrderData): CostView {
  const { value, quote, networkFeeUnits } = data
  const swapFiat = value?.feesFiat ?? null
  const price = value?.nativePrice ?? null
  const isFeeKnown = price !== null || networkFeeUnits === 0n
  const paidFiat = price === null ? 0n : fiatOfUnits(networkFeeUnits, price)
  return {
    fiat: showFiat(value?.sourceFiat ?? quote?.sourceFiat ?? null),
    costFiat: swapFiat === null || !isFeeKnown ? null : showFiat(swapFiat + paidFiat),
    costParts: viewCostParts(data),
  }
}

function viewCostParts({
  value,
  networkFeeUnits,
  feeBudget,
  policy: { way, risk },
}: OrderData): CostView["costParts"] {
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
