import { FIAT_DECIMALS } from "#domain/amount.ts"
import type { AssetView } from "./treasury-view.ts"

/**
 * Amounts of different assets are compared as value: fiat of the finest grain, 10^24 to the whole, so that no asset of up to 18 decimals loses
 * a smallest unit on the way to value and back.
 */
export const VALUE_PER_FIAT = 10n ** 18n

/** The value of smallest units at a price in fiat millionths per whole unit, rounded down. */
export function valueOfUnits({ decimals }: AssetView, priceFiat: bigint, units: bigint): bigint {
  return (units * priceFiat * VALUE_PER_FIAT) / 10n ** BigInt(decimals)
}

/** `up`: the fewest units worth at least that much; `down`: the most worth no more. */
export function unitsOfValue(
  { decimals }: AssetView,
  priceFiat: bigint,
  value: bigint,
  rounding: "up" | "down",
): bigint {
  const [scaled, per] = [value * 10n ** BigInt(decimals), priceFiat * VALUE_PER_FIAT]
  return (rounding === "up" ? scaled + per - 1n : scaled) / per
}

/** Value as fiat millionths; costs are rounded up, so that they are never understated. */
export function fiatOfValue(value: bigint, rounding: "up" | "down"): bigint {
  return (rounding === "up" ? value + VALUE_PER_FIAT - 1n : value) / VALUE_PER_FIAT
}

/** For reasons: a value in whole units of the reference currency. */
export function showValue(value: bigint): string {
  const cents = value / (VALUE_PER_FIAT * 10n ** BigInt(FIAT_DECIMALS - 2))
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`
}
