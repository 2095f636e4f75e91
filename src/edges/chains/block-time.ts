/**
 * The time between two blocks or slots of a chain, as far as Ballast knows it.
 *
 * A timelock counts blocks, so its length in seconds is known only as well as the block time.
 * `fastestMs` and `slowestMs` bound the true value: guards count with the end of the range that is
 * worse for the order.
 */
export type BlockTime = {
  readonly ms: number
  readonly fastestMs: number
  readonly slowestMs: number
  /** `guess`: neither the configuration nor a preset says it, so the range is wide. */
  readonly from: "configuration" | "preset" | "family" | "guess"
}

/**
 * A known block time with a range of a factor of two to both sides. Upgrades usually halve the
 * block time, and the doctor reports a difference of 25 %, so a value leaves the range only after
 * an operator has been told. Live timelocks (24 hours against 2 hours) pass with the range: they
 * would with a factor of 2.8.
 */
export function knownBlockTime(ms: number, from: BlockTime["from"]): BlockTime {
  return { ms, fastestMs: ms / 2, slowestMs: ms * 2, from }
}
