import { describe, expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { PlanLimits, WindowRest } from "#policy/planner/limits.ts"
import { usableFiat } from "#policy/planner/limits.ts"
import { countedFees, limitsAfter, type PlacedBefore } from "#policy/planner/limits-after.ts"
import { refuseOccurrence } from "#policy/refuse-occurrence.ts"
import type { AssetView, PairCosts, TreasuryView } from "#policy/treasury-view.ts"
import { A, assetOf, B, C, FIAT, LIMITS, pairOf, viewOf } from "./sample-plan.ts"

const MILLION: TreasuryView = viewOf({ [A]: 1_000n, [B]: 1_000n, [C]: 1_000n })

type Order = PlacedBefore & { readonly rule: { readonly maxCost: null } }

const order = (over: Partial<PlacedBefore> = {}): Order => ({
  rules: ["dca"],
  rule: { maxCost: null },
  from: A,
  to: B,
  units: 10n,
  costFiat: 2n * FIAT,
  ...over,
})

const TOKEN = parseAssetId("a:token")

const windowOf = (over: Partial<WindowRest> = {}): WindowRest => ({
  per: "1d",
  leftFiat: null,
  maxFiat: null,
  leftUnits: {},
  leftFeesFiat: null,
  ...over,
})

const viewWith = (asset: AssetView, costs: Partial<PairCosts> = {}): TreasuryView => ({
  assets: [asset, assetOf(B, 0n)],
  pairs: [pairOf(asset.id, B, costs)],
})

const rest = (over: Partial<PlanLimits>, orders: readonly PlacedBefore[], view = MILLION) =>
  limitsAfter({ ...LIMITS, ...over }, orders, view)

const refuse = (over: Partial<PlanLimits>, one = order(), placed: PlacedBefore[] = []) =>
  refuseOccurrence(one, placed, { ...LIMITS, ...over }, MILLION).map(({ code }) => code)

describe("what the limits leave after placed orders", () => {
  test("is one order less for each, and never less than none", () => {
    expect(rest({ maxOrders: 3 }, [order(), order()]).maxOrders).toBe(1)
    expect(rest({ maxOrders: 1 }, [order(), order()]).maxOrders).toBe(0)
  })

  test("adds no limit that was not there", () => {
    expect(rest({}, [order()])).toEqual({ ...LIMITS, maxOrders: 8 })
  })

  test("is the rest of each window: value, units of the sold asset, and fees", () => {
    const limits = {
      windows: [
        windowOf({
          leftFiat: 30n * FIAT,
          leftUnits: { [A]: 25n, [B]: 7n },
          leftFeesFiat: 9n * FIAT,
        }),
        windowOf({ leftFiat: 10n * FIAT, leftUnits: { [A]: 10n } }),
        windowOf({ leftFiat: 9n * FIAT, leftUnits: { [A]: 9n }, leftFeesFiat: 1n * FIAT }),
      ],
    }
    const [first, exact, spent] = rest(limits, [order()]).windows ?? []
    expect(first).toMatchObject({ leftFiat: 20n * FIAT, leftUnits: { [A]: 15n, [B]: 7n } })
    expect(first?.leftFeesFiat).toBe(7n * FIAT)
    expect(exact).toMatchObject({ leftFiat: 0n, leftUnits: { [A]: 0n }, leftFeesFiat: null })
    expect(spent).toMatchObject({ leftFiat: 0n, leftUnits: { [A]: 0n }, leftFeesFiat: 0n })
    expect(rest(limits, [order(), order()]).windows?.[0]?.leftFiat).toBe(10n * FIAT)
  })

  test("is nothing of a window in fiat or fees after an order of unknown value or cost", () => {
    const limits = { windows: [windowOf({ leftFiat: 30n * FIAT, leftFeesFiat: 9n * FIAT })] }
    const unpriced = viewWith({ ...assetOf(A, 100n), priceFiat: null })
    expect(rest(limits, [order()], unpriced).windows?.[0]).toMatchObject({
      leftFiat: 0n,
      leftFeesFiat: 0n,
    })
    expect(rest(limits, [order({ costFiat: null })]).windows?.[0]).toMatchObject({
      leftFiat: 20n * FIAT,
      leftFeesFiat: 0n,
    })
  })

  test("counts an order for its pair, each of its rules, and the chains at both ends", () => {
    const reason = { code: "limit.count", message: "full" }
    const counts = [
      { left: 5, reason },
      { pair: { from: A, to: B }, left: 5, reason },
      { pair: { from: B, to: A }, left: 5, reason },
      { pair: { from: A, to: C }, left: 5, reason },
      { rule: "dca", left: 5, reason },
      { rule: "other", left: 5, reason },
      { chain: "a", left: 5, reason },
      { chain: "b", left: 5, reason },
      { chain: "c", left: 5, reason },
    ]
    const both = order({ rules: ["dca", "band"] })
    const lefts = rest({ counts }, [both]).counts?.map(({ left }) => left)
    expect(lefts).toEqual([4, 4, 5, 5, 4, 5, 4, 4, 5])
  })

  test("is less gas by the fees of orders from the chain, and by what they sell of its coin", () => {
    const gas = [{ chain: "a", coin: A, perOrderUnits: 3n, leftUnits: 100n }]
    expect(rest({ gas }, [order()]).gas).toMatchObject([{ leftUnits: 87n, placed: 1 }])
    expect(rest({ gas }, [order({ from: TOKEN })]).gas).toMatchObject([{ leftUnits: 97n }])
    expect(rest({ gas }, [order({ from: B, to: A })]).gas).toEqual(gas)
    const known = [{ chain: "a", coin: A, perOrderUnits: 3n, leftUnits: null, placed: 2 }]
    expect(rest({ gas: known }, [order(), order()]).gas).toMatchObject([
      { leftUnits: null, placed: 4 },
    ])
  })
})

test("a window counts for an open order its cost, its refund, and what its payout loses", () => {
  const costs = { refundFeeFiat: 5n, windowFeesFiat: 70n }
  expect(countedFees(order(), viewWith(assetOf(A, 100n), costs))).toBe(2n * FIAT + 75n)
  // Half a unit of the payout is lost: the service pays 9 for 9.5, and its share is in the cost.
  const half = { fixedFeeFiat: FIAT / 2n }
  expect(countedFees(order(), viewWith(assetOf(A, 100n), half))).toBe(2n * FIAT + FIAT / 2n)
  expect(countedFees(order({ costFiat: null }), MILLION)).toBeNull()
  expect(countedFees(order(), { ...MILLION, pairs: [] })).toBeNull()
})

test("a plan fills a window up to one percent below its rest", () => {
  expect(usableFiat(windowOf({ leftFiat: 1_000n }))).toBe(990n)
  expect(usableFiat(windowOf())).toBeNull()
})

describe("the order of an occurrence", () => {
  const reason = { code: "limit.count", message: "full" }

  test("is refused for each limit that it passes alone, and fits one that it just fills", () => {
    for (const [fits, short] of [
      [{ leftFiat: 10n * FIAT }, { leftFiat: 10n * FIAT - 1n }],
      [{ leftUnits: { [A]: 10n } }, { leftUnits: { [A]: 9n } }],
      [{ leftFeesFiat: 2n * FIAT }, { leftFeesFiat: 2n * FIAT - 1n }],
    ]) {
      expect(refuse({ windows: [windowOf(), windowOf(fits)] })).toEqual([])
      expect(refuse({ windows: [windowOf(), windowOf(short)] })).toEqual(["policy.window"])
    }
    expect(refuse({ windows: [windowOf({ leftUnits: { [B]: 1n } })] })).toEqual([])
    expect(refuse({ counts: [{ rule: "dca", left: 1, reason }] })).toEqual([])
    expect(refuse({ counts: [{ rule: "dca", left: 0, reason }] })).toEqual(["limit.count"])
    expect(refuse({ counts: [{ rule: "other", left: -1, reason }] })).toEqual([])
  })

  test("is refused beside the orders that this tick has placed", () => {
    const placed = [order()]
    expect(refuse({ windows: [windowOf({ leftFiat: 20n * FIAT })] }, order(), placed)).toEqual([])
    expect(refuse({ windows: [windowOf({ leftFiat: 19n * FIAT })] }, order(), placed)).toEqual([
      "policy.window",
    ])
    expect(refuse({ counts: [{ left: 1, reason }] }, order(), placed)).toEqual(["limit.count"])
  })

  test("is refused for a blocked pair, of all rules or of its own", () => {
    const block = (from: AssetId, to: AssetId, rule: string | null) =>
      refuse({ blocked: [{ from, to, rule, reasons: [{ code: "paused", message: "" }] }] })
    expect(block(A, B, null)).toEqual(["paused"])
    expect(block(A, B, "dca")).toEqual(["paused"])
    expect(block(A, B, "band")).toEqual([])
    expect(block(B, A, null)).toEqual([])
    expect(block(A, C, null)).toEqual([])
  })

  test("of a chain's coin leaves the fees of the orders placed before it", () => {
    const gas = [{ chain: "a", coin: A, perOrderUnits: 5n, leftUnits: 9_000n }]
    const all = (units: bigint, placed: PlacedBefore[]) => refuse({ gas }, order({ units }), placed)
    expect(all(1_000n, [])).toEqual([])
    const token = order({ from: TOKEN })
    expect(all(995n, [token])).toEqual([])
    expect(all(996n, [token])).toEqual(["policy.gas"])
    expect(all(991n, [token, token])).toEqual(["policy.gas"])
  })

  test("of an unknown value or cost is left to admission", () => {
    const windows = [windowOf({ leftFiat: 0n, leftFeesFiat: 0n })]
    const view = viewWith({ ...assetOf(A, 100n), priceFiat: null })
    expect(refuseOccurrence(order({ costFiat: null }), [], { ...LIMITS, windows }, view)).toEqual(
      [],
    )
  })
})
