import type { FeeBudget, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import { quoteFeeFiat, type Reference, type ReferenceSide } from "./price.ts"

/**
 * What an order counts as in limits: of the quote's own values and those by reference prices, whichever is larger. `null` where neither says.
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

/** The value for limits with the worst case of the network's fees, where their coin has a price. */
export function withNetworkFees(
  { sourceFiat, feesFiat, nativePrice }: OrderValue,
  budget: FeeBudget | null,
): { readonly sourceFiat: bigint | null; readonly feesFiat: bigint | null } {
  if (feesFiat === null || nativePrice === null || budget === null) return { sourceFiat, feesFiat }
  return { sourceFiat, feesFiat: feesFiat + fiatOfUnits(budget.depositUnits + budget.refundUnits, nativePrice) }
}

/** Fiat millionths of smallest units at a price per whole one. Rounded up: what limits count must not be understated. */
export function fiatOfUnits(units: bigint, price: { readonly fiat: bigint; readonly decimals: number }): bigint {
  const per = 10n ** BigInt(price.decimals)
  return (units * price.fiat + per - 1n) / per
}

function fiatValue(units: bigint, side: ReferenceSide, decimals: number, rounding: "up" | "down"): bigint | null {
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
