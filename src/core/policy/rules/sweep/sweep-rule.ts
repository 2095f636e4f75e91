import type { AssetId } from "#domain/asset.ts"
import type { Rule } from "../rule-kind.ts"

/**
 * Sells everything above `keepUnits`, to our own wallet or to `destination`, an address on the
 * chain of `to`.
 */
export type SweepRule = Rule & {
  readonly kind: "sweep"
  readonly from: AssetId
  readonly keepUnits: bigint
  readonly to: AssetId
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination?: string | null
  /** The smallest order worth placing, in units of `from`. */
  readonly leastUnits?: bigint
}
