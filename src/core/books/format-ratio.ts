import { formatUnits } from "#domain/amount.ts"

const DIGITS = 12

/**
 * Whole units of one asset per whole unit of another, truncated after twelve digits; empty when the
 * divisor is zero.
 */
export function formatRatio(
  top: bigint,
  topDecimals: number,
  bottom: bigint,
  bottomDecimals: number,
): string {
  if (bottom === 0n) return ""
  const scaled = top * 10n ** BigInt(bottomDecimals + DIGITS)
  return formatUnits(scaled / (bottom * 10n ** BigInt(topDecimals)), DIGITS)
}
