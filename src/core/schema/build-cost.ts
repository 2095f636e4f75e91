import { FIAT_DECIMALS, parseUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import { mustExist } from "#lib/assert.ts"
import { parseLimitAmount } from "./limit-amount.ts"

/** Builds the limit from `"60bps"`, `"0.6%"` or `"0.40 usd"`; the form is already checked. */
export function buildCost(text: string): CostLimit {
  const amount = mustExist(parseLimitAmount(text), `the amount ${text}`)
  return amount.kind === "share" ? amount : { kind: "fiat", fiat: fiatOf(text) }
}

/** `"200 usd"` in fiat millionths. */
export function fiatOf(text: string): bigint {
  return parseUnits(text.replace(/ ?usd$/i, ""), FIAT_DECIMALS)
}
