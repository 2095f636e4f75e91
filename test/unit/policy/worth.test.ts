import { describe, expect, test } from "vitest"
import type { CostLimit } from "#domain/order.ts"
import type { Need } from "#policy/need.ts"
import { buildProblem } from "#policy/planner/build-problem.ts"
import { findRoutes } from "#policy/planner/find-routes.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { worthOf } from "#policy/planner/worth.ts"
import type { AssetView, PairCosts, TreasuryView } from "#policy/treasury-view.ts"
import { VALUE_PER_FIAT } from "#policy/value.ts"
import { A, assetOf, B, FIAT, type Id, pairOf, share, usd } from "./sample-plan.ts"

/** A unit of every asset here is worth one of the currency. */
const value = (units: bigint): bigint => units * FIAT * VALUE_PER_FIAT
const ALL = 10n ** 12n
const BONUS = 1_000n

type Case = {
  readonly need?: Partial<Need>
  readonly costs?: Partial<PairCosts>
  readonly general?: CostLimit | null
  readonly holding?: AssetView["holding"]
  readonly most?: bigint
}

function needOf(kind: Need["kind"], asset: Id, over: Partial<Need>): Need {
  const partner = { asset: asset === A ? B : A, destination: null, mostUnits: null }
  return {
    rule: "r",
    kind,
    asset,
    to: "target",
    wantUnits: 100n,
    mostUnits: 400n,
    leastUnits: 1n,
    partners: [partner],
    maxCost: null,
    why: { code: "test", message: "test" },
    ...over,
  }
}

function worth(kind: Need["kind"], { need, costs, general = null, holding, most = 400n }: Case) {
  const own = needOf(kind, kind === "lose" ? A : B, need ?? {})
  const assets = [assetOf(A, 1_000n), assetOf(B, 1_000n)].map((asset) =>
    holding === undefined ? asset : { ...asset, holding },
  )
  const view: TreasuryView = { assets, pairs: [pairOf(A, B, costs)] }
  const limits: PlanLimits = { maxOrders: 9, maxOrder: null, split: true, maxCost: general }
  const { routes } = findRoutes([own], view)
  const balances = new Map(
    assets.flatMap(({ id, balance }) => (balance.readable ? [[id, balance] as const] : [])),
  )
  const { orderRoutes } = buildProblem(routes, limits, new Map(), balances)
  expect(orderRoutes).toHaveLength(1)
  return worthOf(own, value(most), orderRoutes, limits)
}

describe("a unit of a need is worth", () => {
  const rewardOf = (kind: Need["kind"], some: Case): bigint => worth(kind, some).reward - BONUS

  test("its whole value without a ceiling in basis points", () => {
    for (const kind of ["lose", "gain"] as const) {
      expect(rewardOf(kind, {})).toBe(ALL)
      expect(rewardOf(kind, { general: usd(500n), need: { maxCost: usd(900n) } })).toBe(ALL)
    }
  })

  test("the narrower of the two ceilings, of the sold value or restated for what arrives", () => {
    for (const [general, maxCost] of [
      [share(100n), null],
      [share(100n), share(300n)],
      [null, share(100n)],
      [share(300n), share(100n)],
    ]) {
      const some = { general: general ?? null, need: { maxCost: maxCost ?? null } }
      expect(rewardOf("lose", some)).toBe(ALL / 100n)
      expect(rewardOf("gain", some)).toBe((100n * ALL) / 9_900n)
    }
    expect(rewardOf("gain", { general: share(9_999n) })).toBe(9_999n * ALL)
  })

  test("more by the tolerance of the prices, and never more than everything", () => {
    const costs = { toleranceBps: 50n }
    expect(rewardOf("lose", { general: share(100n), costs })).toBe((150n * ALL) / 10_000n)
    expect(rewardOf("gain", { general: share(100n), costs })).toBe((150n * ALL) / 9_850n)
    expect(rewardOf("gain", { general: share(9_980n), costs })).toBe(ALL)
    expect(rewardOf("lose", { general: share(9_980n), costs })).toBe(ALL)
  })
})

describe("a need wants", () => {
  test("its amount, and no more than may be moved", () => {
    expect(worth("gain", {}).want).toBe(value(100n))
    expect(worth("gain", { most: 60n }).want).toBe(value(60n))
  })

  test("the smallest order of its pair, if that is larger and it may grow", () => {
    const costs = { minUnits: 150n, fixedFeeFiat: 5n * FIAT }
    const grown = { costs, need: { mayGrow: true } }
    expect(worth("lose", grown).want).toBe(value(150n))
    expect(worth("gain", grown).want).toBe(value(145n))
    expect(worth("lose", { costs }).want).toBe(value(100n))
    expect(worth("lose", { ...grown, most: 150n }).want).toBe(value(150n))
    expect(worth("lose", { ...grown, most: 149n }).want).toBe(value(100n))
    const own = { need: { mayGrow: true, leastUnits: 150n } }
    expect(worth("lose", own).want).toBe(value(100n))
  })
})

describe("a need to its bound grows", () => {
  const way = { toBoundUnits: 100n, toTargetUnits: 300n }
  const costs = { fixedFeeFiat: FIAT, bps: 10n }

  test("as far as a fixed cost pays in the long run, and never beyond what may be moved", () => {
    const need = { to: "edge" as const, way }
    // √(k² + 2·k·way) − k for k = 1000 and a way of 200 is 183.2 beyond the bound.
    const [tier, ...others] = worth("lose", { need, costs, general: share(200n) }).tiers
    expect(others).toEqual([])
    expect((tier?.want ?? 0n) / value(1n)).toBe(283n)
    const short = worth("lose", { need, costs, general: share(200n), most: 200n })
    expect(short.tiers.map(({ want }) => want)).toEqual([value(200n)])
    expect(worth("lose", { need, costs, general: share(200n), most: 100n }).tiers).toEqual([])
  })

  test("not to a target, and not where no order has a fixed cost", () => {
    expect(worth("lose", { need: { to: "target", way }, costs }).tiers).toEqual([])
    expect(worth("lose", { need: { to: "edge" }, costs }).tiers).toEqual([])
    expect(worth("lose", { need: { to: "edge", way } }).tiers).toEqual([])
  })

  test("by its holding costs, up to the first tier that reaches what may be moved", () => {
    const holding = [
      { units: 0n, costFiat: 60n * FIAT },
      { units: 100n, costFiat: 20n * FIAT },
      { units: 200n, costFiat: 5n * FIAT },
      { units: 300n, costFiat: 0n },
    ]
    const need = { to: "values" as const, way }
    const wants = (most: bigint): bigint[] =>
      worth("gain", { need, holding, most }).tiers.map(({ want }) => want / value(1n))
    expect(wants(400n)).toEqual([200n, 300n, 400n])
    expect(wants(300n)).toEqual([200n, 300n])
    expect(wants(250n)).toEqual([200n, 250n])
    expect(wants(100n)).toEqual([])
  })
})
