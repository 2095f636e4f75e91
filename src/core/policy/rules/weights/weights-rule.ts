import type { AssetId } from "#domain/asset.ts"
import type { CorrectionGoal } from "../../need.ts"
import type { Rule } from "../rule-kind.ts"

/**
 * Keeps shares of the assets' common value; together 10 000. A share may be off by `toleranceBps`
 * points of the total, included.
 */
export type WeightsRule = Rule & {
  readonly kind: "weights"
  readonly weights: readonly { readonly asset: AssetId; readonly bps: bigint }[]
  readonly toleranceBps: bigint
  readonly move?: Exclude<CorrectionGoal, "values">
  /** The smallest order worth placing, in fiat millionths. */
  readonly leastFiat?: bigint
}
