import { AppError } from "#lib/app-error.ts"

/**
 * A share of an amount in thousandths of a basis point, the unit of the contracts: 1.3 bps are
 * 1 300.
 */
export type FeeRate = bigint

/** The whole in this unit. */
const WHOLE = 10_000_000n

/**
 * Reads basis points with decimals; finer digits round up, so that a fee is never understated.
 * Throws `cctp.malformed` (transient).
 */
export function parseFeeRate(text: string): FeeRate {
  const match = /^(\d{1,5})(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null)
    throw new AppError({
      code: "cctp.malformed",
      disposition: "transient",
      message: `Circle's fee is not a number of basis points: "${text.slice(0, 40)}"`,
    })
  const fraction = match[2] ?? ""
  const rate = BigInt(`${match[1]}${fraction.slice(0, 3).padEnd(3, "0")}`)
  return /[1-9]/.test(fraction.slice(3)) ? rate + 1n : rate
}

/** The share of an amount, rounded up. */
export function feeShareOf(units: bigint, rate: FeeRate): bigint {
  return (units * rate + WHOLE - 1n) / WHOLE
}
