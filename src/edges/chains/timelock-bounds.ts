import type { TimelockBounds } from "#domain/order.ts"
import type { ChainConfig } from "./chain-config.ts"

const FORTNIGHT_MS = 14 * 24 * 3_600_000
const HALF_HOUR_MS = 30 * 60_000

/**
 * The bounds that the configuration sets, or else the built-in ones.
 *
 * The built-in lower bound is half an hour on a chain with a preset, and `min` of the family on any
 * other. The upper bound is two weeks when blocks come as slowly as is plausible, because a lock
 * holds the money for all that time: it is one week at the usual pace.
 */
export function timelockBounds(
  { timelock, blockTime, preset }: Pick<ChainConfig, "timelock" | "blockTime" | "preset">,
  { min }: { readonly min: bigint },
): TimelockBounds {
  const { ms, fastestMs, slowestMs } = blockTime
  return {
    min: timelock.min ?? (preset === null ? min : BigInt(Math.ceil(HALF_HOUR_MS / ms))),
    max: timelock.max ?? BigInt(Math.ceil(FORTNIGHT_MS / slowestMs)),
    secondsPerUnit: ms / 1_000,
    fastestSeconds: fastestMs / 1_000,
    slowestSeconds: slowestMs / 1_000,
  }
}
