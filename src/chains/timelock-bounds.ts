import type { TimelockBounds } from "#domain/order.ts"
import type { ChainConfig } from "./chain-config.ts"

const FORTNIGHT_S = 14 * 24 * 3600

/**
 * The bounds that the configuration sets, or else the family's: `min`, and two weeks of blocks or slots.
 *
 * `secondsPerUnit` is the interval that each live chain aims at, so that the locks of two legs can be compared. `widestSeconds` is the
 * interval that the upper bound counts with, where blocks may come faster than usual.
 */
export function timelockBounds(
  { timelock }: ChainConfig,
  family: { readonly min: bigint; readonly secondsPerUnit: number; readonly widestSeconds?: number },
): TimelockBounds {
  const { min, secondsPerUnit, widestSeconds = secondsPerUnit } = family
  return {
    min: timelock.min ?? min,
    max: timelock.max ?? BigInt(Math.ceil(FORTNIGHT_S / widestSeconds)),
    secondsPerUnit,
  }
}
