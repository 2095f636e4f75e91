import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import type { Need } from "./need.ts"
import { buildProblem } from "./planner/build-problem.ts"
import { assetInUse, coveredBy, explainNeed } from "./planner/explain-need.ts"
import { findRoutes } from "./planner/find-routes.ts"
import type { FlowProblem, Solution } from "./planner/flow/flow-problem.ts"
import { type OrderAnswer, settleFlow } from "./planner/flow/settle-flow.ts"
import { findStep, type Yielded } from "./planner/give-way.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { limitsAfter, type PlacedBefore } from "./planner/limits-after.ts"
import { type PlacedOrder, placeOrders, sumUnits } from "./planner/place-orders.ts"
import type { Headroom } from "./planner/route.ts"
import { type BalanceView, findAsset, findBalance, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue } from "./value.ts"

/**
 * The cheapest set of orders for all needs of a tick.
 *
 * The cost of a plan is a fixed cost for each order plus basis points of the sold value. The value
 * of a need is its cost ceiling. The plan with the least cost for the work that it leaves undone
 * wins (`build-problem.ts`). Orders stay within pair bounds, limits and liquid balances; partners
 * stay within their own bounds. The same input and the same answers of the solver give the same
 * plan. When an exhausted source pays the costs, less arrives, and the results say so.
 *
 * An asset serves one rule in a tick: the first that gets an order for it. A rule without an order
 * leaves the asset to the next rule, and to the rules that list it as a partner, and the plan is
 * made again. A need of a later rule for a claimed asset is declined with `policy.asset_claimed`. A
 * need without an order gives way to an earlier one that it stands in the way of (`give-way.ts`).
 *
 * The generator hands each flow problem to its caller, which answers with numbers of orders: from
 * the search here, from a solver in another thread, or from a stored decision.
 */
export function* planSwaps(
  needs: readonly Need[],
  view: TreasuryView,
  limits: PlanLimits,
  headroom: ReadonlyMap<AssetId, Headroom>,
): Generator<FlowProblem, SwapPlan, OrderAnswer> {
  const balances = readableBalances(view)
  let idle: NeedResult[] = []
  let yielded: readonly Yielded[] = []
  for (;;) {
    const open = needs.filter((need) => !idle.some((result) => result.need === need))
    const assigned = assignAssets(open)
    const found = findRoutes(assigned.kept, view, limits.blocked)
    const built = buildProblem(found.routes, limits, headroom, balances)
    const { problem } = built
    const solution = problem.edges.length === 0 ? NOTHING : settleFlow(problem, yield problem)
    const orders = placeOrders(built.orderRoutes, solution, limits)
    const blocked = [...found.blocked, ...built.blocked]
    const explain = (need: Need): NeedResult => {
      const asset = mustExist(findAsset(view, need.asset), `the asset ${need.asset} of a need`)
      return {
        need,
        ...explainNeed(need, asset, { orders, orderRoutes: built.orderRoutes, blocked, limits }),
      }
    }
    const hasRoute = (need: Need): boolean => {
      const { routes } = findRoutes([need], view, limits.blocked)
      const rest = limitsAfter(limits, orders.map(placedBefore), view)
      return (
        buildProblem(routes, rest, headroom, balancesAfter(balances, orders)).orderRoutes.length > 0
      )
    }
    const undone = assigned.kept.filter((need) => coveredBy(need, orders) === 0n)
    const step = findStep({
      undone,
      blocked: found.blocked,
      refused: assigned.refused,
      yielded,
      hasRoute,
    })
    if (step === null) {
      const results = [...assigned.kept.map(explain), ...assigned.refused, ...idle]
      const inOrder = needs.flatMap((need) => results.filter((one) => one.need === need))
      return { orders, results: inOrder, exact: solution.exact }
    }
    idle = [...idle.filter(({ need }) => !step.back.includes(need)), ...step.idle.map(explain)]
    yielded = step.yielded
  }
}

export type SwapPlan = {
  readonly orders: readonly PlacedOrder[]
  readonly results: readonly NeedResult[]
  /** Whether the solver proved that no plan is cheaper. */
  readonly exact: boolean
}

type NeedResult = {
  readonly need: Need
  /** Units that arrive for a gain, or leave for a loss. */
  readonly coveredUnits: bigint
  /**
   * Whether orders for the need cover it. A need that only orders of other rules cover has the
   * reason `policy.asset_claimed`.
   */
  readonly met: boolean
  readonly reasons: readonly Reason[]
}

const NOTHING: Solution = { flows: [], orders: [], objective: 0n, exact: true }

function placedBefore({ orderRoute: { route }, units, costValue }: PlacedOrder): PlacedBefore {
  const rules = [route.loss, route.gain].flatMap((need) => (need === null ? [] : [need.rule]))
  return {
    rules,
    from: route.from.asset.id,
    to: route.to.asset.id,
    ...(route.kind === undefined ? {} : { kind: route.kind }),
    units,
    costFiat: fiatOfValue(costValue, "up"),
  }
}

function balancesAfter(
  balances: ReadonlyMap<AssetId, BalanceView>,
  orders: readonly PlacedOrder[],
): ReadonlyMap<AssetId, BalanceView> {
  return new Map(
    [...balances].map(([id, balance]): [AssetId, BalanceView] => {
      const inFlightOutUnits = balance.inFlightOutUnits + sumUnits(orders, "sold", id)
      return [id, { ...balance, inFlightOutUnits }]
    }),
  )
}

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
    refused.push({ need, coveredUnits: 0n, met: false, reasons: [assetInUse(need, first.rule)] })
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
