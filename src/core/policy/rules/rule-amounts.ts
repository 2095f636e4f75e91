import { parseUnits } from "#domain/amount.ts"
import { mustExist } from "#lib/assert.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"

/** The key `least` in smallest units. No order is smaller than one unit. */
export function buildLeast(text: string | null, decimals: number): bigint {
  const units = text === null ? 1n : parseUnits(text, decimals)
  return units > 1n ? units : 1n
}

/** A share such as "10%" or "60bps", after its form was checked. */
export function buildShare(text: string): bigint {
  const amount = parseLimitAmount(text)
  return mustExist(amount?.kind === "share" ? amount.bps : null, `the share ${text}`)
}
