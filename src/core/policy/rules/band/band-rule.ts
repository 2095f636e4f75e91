import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { CorrectionGoal } from "../../need.ts"
import type { Rule } from "../rule-kind.ts"

/**
 * Keeps one balance from min to max, both included. The lists are in order of preference for
 * partners of equal cost.
 */
export type BandRule = Rule & {
  readonly kind: "band"
  readonly asset: AssetId
  readonly minUnits: bigint
  readonly targetUnits: bigint
  readonly maxUnits: bigint
  readonly sources: readonly AssetId[]
  readonly sinks: readonly AssetId[]
  readonly move?: CorrectionGoal
  /** The smallest order worth placing, in units of `asset`. */
  readonly leastUnits?: bigint
  /**
   * The cost ceiling of a refill at a balance of zero. From min to zero the ceiling goes from
   * `maxCost` to this one.
   */
  readonly maxCostWhenEmpty?: CostLimit | null
  /** How often the rule is evaluated; absent in decisions that need no time. */
  readonly everyMs?: number
}
