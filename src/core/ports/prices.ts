import type { AssetId } from "#domain/asset.ts"
import type { Peg, ReferencePrice } from "#domain/price.ts"
import type { Reason } from "#domain/reason.ts"

/** Reference prices, independent of the swap service. */
export interface PricePort {
  /**
   * `null` when the asset has no configured source and none is demanded. Throws
   * `prices.unavailable` (transient) when none of its sources gives a fresh price,
   * `prices.disagree` (transient) when they contradict each other, `prices.peg_broken` (transient)
   * when a peg of the asset does not hold now, and `prices.missing` (transient) where a price is
   * demanded and no source is configured.
   */
  fetchPrice(asset: AssetId): Promise<ReferencePrice | null>
  /** The peg that contains both assets. Absent where no pegs exist. */
  findPeg?(a: AssetId, b: AssetId): Peg | null
  /**
   * Compares the members of each peg now. A reason for each that does not hold
   * (`prices.peg_broken`) or cannot be compared.
   */
  checkPegs?(): Promise<readonly Reason[]>
}
