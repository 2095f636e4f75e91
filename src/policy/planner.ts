import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { Need } from "./need.ts"
import { buildProblem } from "./planner/build-problem.ts"
import { explainNeed } from "./planner/explain-need.ts"
import { findRoutes } from "./planner/find-routes.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { type PlacedOrder, placeOrders } from "./planner/place-orders.ts"
import type { Headroom } from "./planner/route.ts"
import { solveFlow } from "./planner/solve-flow.ts"
import { type BalanceView, findAsset, findBalance, type TreasuryView } from "./treasury-view.ts"

/**
 * The cheapest set of orders for all needs of a tick.
 *
 * The cost of a plan is a fixed cost for each order plus basis points of the sold value. The value of a need is its cost ceiling. The plan with
 * the least cost for the work that it leaves undone wins (`build-problem.ts`). Orders stay within pair bounds, limits and liquid balances;
 * partners stay within their own bounds. The plan is proven optimal for up to eight assets unless `exact` is false, and it never costs more than
 * the two greedy pairings (`solve-flow.ts`). The same input gives the same plan. When an exhausted source pays the costs, less arrives, and the
 * results say so.
 *
 * The first rule that needs an asset gets it for this tick. A need of another rule for the same asset is declined with `policy.asset_claimed`.
 */
export function planSwaps(
  needs: readonly Need[],
  view: TreasuryView,
  limits: PlanLimits,
  headroom: ReadonlyMap<AssetId, Headroom>,
): SwapPlan {
  const assigned = assignAssets(needs)
  const balances = readableBalances(view)
  const found = findRoutes(assigned.kept, view)
  const built = buildProblem(found.routes, limits, headroom, balances)
  const nodes = view.assets.length > EXACT_ASSETS ? MAX_NODES_LARGE : MAX_NODES
  const flow = solveFlow(built.problem, nodes)
  const orders = placeOrders(built.orderRoutes, flow)
  const blocked = [...found.blocked, ...built.blocked]
  const results = assigned.kept.map((need): NeedResult => {
    const asset = present(findAsset(view, need.asset), `the asset ${need.asset} of a need`)
    return { need, ...explainNeed(need, asset, { orders, orderRoutes: built.orderRoutes, blocked, limits }) }
  })
  return { orders, results: [...results, ...assigned.refused], exact: flow.exact }
}

export type SwapPlan = {
  readonly orders: readonly PlacedOrder[]
  readonly results: readonly NeedResult[]
  /** Whether the search proved that no plan is cheaper. */
  readonly exact: boolean
}

export type NeedResult = {
  readonly need: Need
  /** Units that arrive for a gain, or leave for a loss. */
  readonly coveredUnits: bigint
  readonly met: boolean
  readonly reasons: readonly Reason[]
}

/** Up to this many assets, the search runs until the plan is proven optimal. */
const EXACT_ASSETS = 8
/** A limit of some seconds; typical plans take a few dozen nodes. */
const MAX_NODES = 50_000
const MAX_NODES_LARGE = 1_000

/** Gives each asset to the first rule that needs it, and refuses the other needs for it. */
function assignAssets(needs: readonly Need[]): { kept: Need[]; refused: NeedResult[] } {
  const kept: Need[] = []
  const refused: NeedResult[] = []
  for (const need of needs) {
    const first = kept.find(({ asset }) => asset === need.asset)
    if (!first) {
      kept.push(need)
      continue
    }
    const message = `${need.asset} is already moved by ${first.rule} in this tick; ${need.rule} looks again afterwards`
    const reason = { code: "policy.asset_claimed", message, asset: need.asset, rule: first.rule }
    refused.push({ need, coveredUnits: 0n, met: false, reasons: [reason] })
  }
  return { kept, refused }
}

function readableBalances(view: TreasuryView): ReadonlyMap<AssetId, BalanceView> {
  return new Map(
    view.assets.flatMap(({ id }): [AssetId, BalanceView][] => {
      const read = findBalance(view, id)
      return read.ok ? [[id, read.balance]] : []
    }),
  )
}
