import { FIAT_DECIMALS, formatUnits } from "./amount.ts"
import type { AssetId } from "./asset.ts"
import type { Reason } from "./reason.ts"

/**
 * The most that one order or a window may sell: fiat millionths, or smallest units for each asset
 * that has a limit.
 */
export type SoldLimit =
  | { readonly kind: "fiat"; readonly fiat: bigint }
  | { readonly kind: "units"; readonly byAsset: Readonly<Record<AssetId, bigint>> }

/** The reason for a number or an amount in units above its limit. */
export function above(code: string, message: string, found: bigint, max: bigint): Reason {
  return {
    code,
    message: `${message} (${found}, at most ${max})`,
    found: found.toString(),
    max: max.toString(),
  }
}

/** The same for fiat millionths. */
export function aboveFiat(code: string, message: string, found: bigint, max: bigint): Reason {
  const foundText = formatUnits(found, FIAT_DECIMALS)
  const maxText = formatUnits(max, FIAT_DECIMALS)
  return {
    code,
    message: `${message} (${foundText}, at most ${maxText})`,
    found: foundText,
    max: maxText,
  }
}

export const ORDER_TOO_LARGE = "The order is larger than one order may be"
export const ORDER_TOO_DEAR = "The order is worth more than one order may be"

/** The service would choose the secret of an order that is too large for that. */
export const SERVICE_SECRET: Reason = {
  code: "limit.service_secret",
  message:
    "The order is larger than guards.max_service_secret, and the service would choose its secret",
}
