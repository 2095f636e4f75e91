import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { Need } from "./need.ts"
import { buildProblem } from "./planner/build-problem.ts"
import { explainNeed } from "./planner/explain-need.ts"
import { findRoutes } from "./planner/find-routes.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { type PlacedOrder, placeOrders } from "./planner/place-orders.ts"
import type { Rooms } from "./planner/route.ts"
import { solveFlow } from "./planner/solve-flow.ts"
import { type BalanceView, findAsset, readBalance, type TreasuryView } from "./treasury-view.ts"

/**
 * The cheapest set of orders for all needs of a tick.
 *
 * What a plan costs is a fixed cost for each order and basis points of what is sold; what a need is worth is its cost ceiling, and the plan
 * with the least cost for what it leaves undone wins (`build-problem.ts`). Orders stay within pair bounds, limits and liquid balances; partners
 * stay within their own bounds. Proven optimal for up to eight assets unless `exact` says otherwise, and never dearer than the two greedy pairings
 * (`solve-flow.ts`). The same input gives the same plan. Costs paid out of an exhausted source shorten what arrives, and are said.
 *
 * The first rule to claim an asset has it for this tick: another rule's need for it is declined with `policy.asset_claimed`.
 */
export function planSwaps(needs: readonly Need[], view: TreasuryView, limits: PlanLimits, rooms: Rooms): SwapPlan {
  const claims = claimAssets(needs)
  const balances = readableBalances(view)
  const found = findRoutes(claims.kept, view)
  const built = buildProblem(found.routes, limits, rooms, balances)
  const nodes = view.assets.length > EXACT_ASSETS ? MAX_NODES_LARGE : MAX_NODES
  const flow = solveFlow(built.problem, nodes)
  const orders = placeOrders(built.lanes, flow)
  const blocked = [...found.blocked, ...built.blocked]
  const outcomes = claims.kept.map((need): NeedOutcome => {
    const asset = present(findAsset(view, need.asset), `the asset ${need.asset} of a need`)
    return { need, ...explainNeed(need, asset, { orders, lanes: built.lanes, blocked, limits }) }
  })
  return { orders, outcomes: [...outcomes, ...claims.refused], exact: flow.exact }
}

export type SwapPlan = {
  readonly orders: readonly PlacedOrder[]
  readonly outcomes: readonly NeedOutcome[]
  /** Whether the search for something cheaper came to its end. */
  readonly exact: boolean
}

export type NeedOutcome = {
  readonly need: Need
  /** What arrives for a gain, what leaves for a loss. */
  readonly movedUnits: bigint
  readonly met: boolean
  readonly reasons: readonly Reason[]
}

/** Up to this many assets a plan is searched for until it is proven. */
const EXACT_ASSETS = 8
/** Some seconds of search; typical plans take a few dozen nodes. */
const MAX_NODES = 50_000
const MAX_NODES_LARGE = 1_000

function claimAssets(needs: readonly Need[]): { kept: Need[]; refused: NeedOutcome[] } {
  const kept: Need[] = []
  const refused: NeedOutcome[] = []
  for (const need of needs) {
    const first = kept.find(({ asset }) => asset === need.asset)
    if (!first) {
      kept.push(need)
      continue
    }
    const message = `${need.asset} is already moved by ${first.rule} in this tick; ${need.rule} looks again afterwards`
    const reason = { code: "policy.asset_claimed", message, asset: need.asset, rule: first.rule }
    refused.push({ need, movedUnits: 0n, met: false, reasons: [reason] })
  }
  return { kept, refused }
}

function readableBalances(view: TreasuryView): ReadonlyMap<AssetId, BalanceView> {
  return new Map(
    view.assets.flatMap(({ id }): [AssetId, BalanceView][] => {
      const read = readBalance(view, id)
      return read.ok ? [[id, read.balance]] : []
    }),
  )
}
