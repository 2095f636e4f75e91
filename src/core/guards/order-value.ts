import type { FeeBudget, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import { quoteFeeFiat, type Reference, type ReferenceSide } from "./price.ts"

/**
 * The value with which limits count an order: the larger of the quote's own value and the value by
 * reference prices; `null` without either.
 */
export function valueOrder(
  quote: Quote,
  reference: Reference,
  decimals: { readonly from: number; readonly to: number },
): OrderValue {
  const source = fiatValue(quote.sourceUnits, reference.from, decimals.from, "up")
  const destination = fiatValue(quote.destinationUnits, reference.to, decimals.to, "down")
  const lost = source === null || destination === null ? null : atLeastZero(source - destination)
  const { native } = reference
  return {
    sourceFiat: larger(quote.sourceFiat, source),
    feesFiat: larger(quoteFeeFiat(quote), lost),
    nativePrice:
      native && native.price !== null && "fiat" in native.price
        ? { fiat: native.price.fiat, decimals: native.decimals }
        : null,
  }
}

/**
 * The value for limits plus the worst case of the network's fees, when the fee coin has a price.
 */
export function withNetworkFees(
  { sourceFiat, feesFiat, nativePrice }: OrderValue,
  budget: FeeBudget | null,
): { readonly sourceFiat: bigint | null; readonly feesFiat: bigint | null } {
  if (feesFiat === null || nativePrice === null || budget === null) return { sourceFiat, feesFiat }
  return {
    sourceFiat,
    feesFiat: feesFiat + fiatOfUnits(budget.depositUnits + budget.refundUnits, nativePrice),
  }
}

/**
 * The value of smallest units in fiat millionths, at a price per whole unit. Rounded up, so that no
 * limit counts too little.
 */
export function fiatOfUnits(
  units: bigint,
  price: { readonly fiat: bigint; readonly decimals: number },
): bigint {
  const per = 10n ** BigInt(price.decimals)
  return (units * price.fiat + per - 1n) / per
}

function fiatValue(
  units: bigint,
  side: ReferenceSide,
  decimals: number,
  rounding: "up" | "down",
): bigint | null {
  if (side === null || "missing" in side) return null
  if (rounding === "up") return fiatOfUnits(units, { fiat: side.fiat, decimals })
  return (units * side.fiat) / 10n ** BigInt(decimals)
}

function larger(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n
}
