import type { Asset, AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { EngineSettings } from "#engine/context.ts"

/** What of a configuration is tried: its assets, rules and limits. No keys, no addresses. */
export type Subject = {
  readonly name: string
  readonly assets: readonly Asset[]
  /** The general cost ceiling, for the planner. */
  readonly maxCost: CostLimit | null
  /** Assets with a configured price source. */
  readonly priced: ReadonlySet<AssetId>
  readonly settings: Pick<
    EngineSettings,
    "rules" | "limits" | "cooldownMs" | "cooldownMaxMs" | "minNative" | "policyFor"
  >
}
