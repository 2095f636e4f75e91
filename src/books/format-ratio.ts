import { formatUnits } from "#domain/amount.ts"

const DIGITS = 12

/** How many whole units of one asset there are for a whole unit of another, cut after twelve digits; empty where there is no second one. */
export function formatRatio(top: bigint, topDecimals: number, bottom: bigint, bottomDecimals: number): string {
  if (bottom === 0n) return ""
  const scaled = top * 10n ** BigInt(bottomDecimals + DIGITS)
  return formatUnits(scaled / (bottom * 10n ** BigInt(topDecimals)), DIGITS)
}
