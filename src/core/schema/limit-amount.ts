import { FIAT_DECIMALS, parseUnits } from "#domain/amount.ts"

/**
 * An amount as the configuration writes it, not yet bound to an asset.
 *
 * `own` a decimal in the asset's own unit (`"0.01"`) · `fiat` millionths of the reference currency
 * (`"500 usd"`) · `share` basis points (`"10%"`, `"60bps"`).
 */
export type LimitAmount =
  | { readonly kind: "own"; readonly text: string }
  | { readonly kind: "fiat"; readonly fiat: bigint }
  | { readonly kind: "share"; readonly bps: bigint }

export const OWN_PATTERN = /^\d{1,60}(\.\d{1,60})?$/
export const FIAT_PATTERN = /^(\d{1,30}(?:\.\d{1,6})?) ?[uU][sS][dD]$/
export const PERCENT_PATTERN = /^(\d{1,6}(?:\.\d{1,2})?) ?%$/
export const BPS_PATTERN = /^(\d{1,8}) ?bps$/

/**
 * Exact or `null`: fiat has at most six digits after the point, a percentage two, basis points
 * none.
 */
export function parseLimitAmount(text: string): LimitAmount | null {
  if (OWN_PATTERN.test(text)) return { kind: "own", text }
  const fiat = FIAT_PATTERN.exec(text)?.[1]
  if (fiat !== undefined) return { kind: "fiat", fiat: parseUnits(fiat, FIAT_DECIMALS) }
  const percent = PERCENT_PATTERN.exec(text)?.[1]
  if (percent !== undefined) return { kind: "share", bps: parseUnits(percent, 2) }
  const bps = BPS_PATTERN.exec(text)?.[1]
  if (bps !== undefined) return { kind: "share", bps: BigInt(bps) }
  return null
}

/** How many digits after the point a decimal has. */
export function fractionDigits(decimal: string): number {
  return (decimal.split(".")[1] ?? "").length
}

/**
 * A decimal in smallest units. It drops digits beyond the asset's decimals, which makes a limit
 * stricter, never looser.
 */
export function unitsRoundedDown(decimal: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".")
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`)
}
