import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { OrderValue } from "#domain/order.ts"
import { expectedRefundFiat, lockedFiat, type OrderRisk, riskOfRoute } from "#domain/order-cost.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { OrderData } from "./data.ts"
import { abilitiesOf } from "./kinds/registry.ts"

type CostView = Pick<AnswerOf<"Order">, "fiat" | "costFiat" | "costParts">

export function viewOrderCost(data: OrderData): CostView {
  const { value, quote, networkFeeUnits } = data
  const swapFiat = value?.feesFiat ?? null
  const price = nativePriceOf(data)
  const isFeeKnown = price !== null || networkFeeUnits === 0n
  const paidFiat = price === null ? 0n : fiatOfUnits(networkFeeUnits, price)
  const redeemFiat = redeemPaidFiat(data)
  const isKnown = swapFiat !== null && isFeeKnown && redeemFiat !== null
  return {
    fiat: showFiat(value?.sourceFiat ?? quote?.sourceFiat ?? null),
    costFiat: isKnown ? showFiat(swapFiat + paidFiat + redeemFiat) : null,
    costParts: viewCostParts(data),
  }
}

/** Limits that count no network fees have no price of their own for them; the books have one. */
function nativePriceOf({ value, prices }: OrderData): OrderValue["nativePrice"] {
  const { native, nativeDecimals } = prices
  if (value?.nativePrice != null) return value.nativePrice
  return native === null || nativeDecimals === undefined
    ? null
    : { fiat: native, decimals: nativeDecimals }
}

/** The final fees of a route's redemption; on some chains that of an HTLC comes off the payout. */
function redeemPaidUnits({ quote, mined }: OrderData): bigint {
  if (quote?.kind === undefined) return 0n
  return mined
    .filter(({ purpose, final }) => purpose === "redeem" && final)
    .reduce((sum, { feeUnits }) => sum + feeUnits, 0n)
}

/** `null` where the coin of the destination has no price. */
function redeemPaidFiat(data: OrderData): bigint | null {
  const units = redeemPaidUnits(data)
  const { payoutCoin = null, payoutDecimals } = data.prices
  if (units === 0n) return 0n
  return payoutCoin === null || payoutDecimals === undefined
    ? null
    : fiatOfUnits(units, { fiat: payoutCoin, decimals: payoutDecimals })
}

function viewCostParts(data: OrderData): CostView["costParts"] {
  const { value, networkFeeUnits, feeBudget, policy } = data
  const { way } = policy
  const risk = riskOf(data)
  const price = nativePriceOf(data)
  const fiatOf = (units: bigint | null): string | null =>
    units === null || price === null ? null : showFiat(fiatOfUnits(units, price))
  const deposit = feeBudget?.depositUnits ?? null
  const refund = refundUnitsOf(data)
  return {
    swapFiat: showFiat(value?.feesFiat ?? null),
    paidUnits: networkFeeUnits.toString(),
    paidFiat: fiatOf(networkFeeUnits),
    depositAtMostUnits: deposit?.toString() ?? null,
    depositAtMostFiat: fiatOf(deposit),
    refundAtMostUnits: refund?.toString() ?? null,
    refundAtMostFiat: fiatOf(refund),
    redeemPaidUnits: redeemPaidUnits(data).toString(),
    redeemAtMostUnits: data.quote?.redeemFeeUnits?.toString() ?? null,
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

/** A route has its own; nothing is told of an order without a risk. */
function riskOf({ quote, policy }: OrderData): OrderRisk | undefined {
  const { risk } = policy
  return risk === undefined || quote?.kind === undefined ? risk : riskOfRoute(quote, policy)
}

function refundUnitsOf({ quote, feeBudget }: OrderData): bigint | null {
  return abilitiesOf({ quote }).refund ? (feeBudget?.refundUnits ?? null) : null
}

function showFiat(fiat: bigint | null): string | null {
  return fiat === null ? null : formatUnits(fiat, FIAT_DECIMALS)
}
