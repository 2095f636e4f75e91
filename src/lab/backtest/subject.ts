import type { Asset, AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Peg } from "#domain/price.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { EngineSettings } from "#engine/context.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { OrderAnswer } from "#policy/planner/flow/settle-flow.ts"

/**
 * The part of a configuration that a backtest uses: assets, rules and limits, without keys and
 * addresses.
 */
export type Subject = {
  readonly name: string
  readonly assets: readonly Asset[]
  /** The general cost ceiling, for the planner. */
  readonly maxCost: CostLimit | null
  /** Assets with a configured price source. */
  readonly priced: ReadonlySet<AssetId>
  /** The peg of two assets; absent without pegs. */
  readonly findPeg?: (from: AssetId, to: AssetId) => Peg | null
  /** The name of the service, for the choice of secrets. A backtest has one. */
  readonly service?: string
  /** The routes beside the service, and the assets that each joins. */
  readonly routes?: readonly { readonly kind: RouteKind; readonly assets: readonly AssetId[] }[]
  readonly settings: Pick<
    EngineSettings,
    "rules" | "limits" | "cooldownMs" | "cooldownMaxMs" | "minNative" | "policyFor" | "onAlarm"
  > &
    // Without a tolerance, costs by reference prices have none of their own.
    Partial<Pick<EngineSettings, "priceToleranceBps" | "ownSecrets">>
  /**
   * Answers the planner's problems; absent for the search alone. The same answer on every machine.
   */
  readonly solve?: (problem: FlowProblem) => OrderAnswer
}
