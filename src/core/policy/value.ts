import type { AssetView } from "./treasury-view.ts"

/**
 * Value makes amounts of different assets comparable: fiat with 24 decimals. Conversion to value
 * and back loses no smallest unit of an asset with up to 18 decimals.
 */
export const VALUE_PER_FIAT = 10n ** 18n

/** The value of smallest units at a price in fiat millionths per whole unit, rounded down. */
export function valueOfUnits(
  { decimals, priceParts }: Pick<AssetView, "decimals" | "priceParts">,
  priceFiat: bigint,
  units: bigint,
): bigint {
  return (units * valueOfPrice(priceFiat, priceParts)) / 10n ** BigInt(decimals)
}

/** A price in fiat millionths, and its parts of 10^-12 of a millionth. */
function valueOfPrice(priceFiat: bigint, priceParts = 0n): bigint {
  return priceFiat * VALUE_PER_FIAT + priceParts * (VALUE_PER_FIAT / PARTS_PER_FIAT)
}

/** The parts of a millionth in `priceParts`. */
export const PARTS_PER_FIAT = 10n ** 12n

/** `up`: the fewest units worth at least `value`. `down`: the most units worth at most `value`. */
export function unitsOfValue(
  { decimals, priceParts }: AssetView,
  priceFiat: bigint,
  value: bigint,
  rounding: "up" | "down",
): bigint {
  const scaled = value * 10n ** BigInt(decimals)
  const per = valueOfPrice(priceFiat, priceParts)
  return (rounding === "up" ? scaled + per - 1n : scaled) / per
}

/** Value in fiat millionths. Callers round costs up, so that no cost is understated. */
export function fiatOfValue(value: bigint, rounding: "up" | "down"): bigint {
  return (rounding === "up" ? value + VALUE_PER_FIAT - 1n : value) / VALUE_PER_FIAT
}
