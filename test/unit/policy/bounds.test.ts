import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { evaluate } from "#policy/evaluate.ts"
import { headroomOf } from "#policy/headroom.ts"
import type { Need } from "#policy/need.ts"
import { boundOrder } from "#policy/planner/order-bounds.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import {
  type AssetView,
  type PairCosts,
  readPrice,
  type TreasuryView,
} from "#policy/treasury-view.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const UNKNOWN = { readable: false, cause: { code: "test", message: "no quote" } } as const

function assetOf(id: typeof ETH, units: bigint, priceFiat: bigint | null): AssetView {
  const none = { inFlightInUnits: 0n, inFlightOutUnits: 0n, floorUnits: 0n }
  return { id, decimals: 0, balance: { readable: true, spendableUnits: units, ...none }, priceFiat }
}

function bandOf(
  id: string,
  minUnits: bigint,
  maxUnits: bigint,
  over: { maxCost?: CostLimit } = {},
): PolicyRule {
  const targetUnits = (minUnits + maxUnits) / 2n
  return {
    id,
    kind: "band",
    asset: BTC,
    minUnits,
    targetUnits,
    maxUnits,
    sources: [ETH],
    sinks: [ETH],
    ...over,
  }
}

const share = (bps: bigint): CostLimit => ({ kind: "share", bps })
const fiat = (units: bigint): CostLimit => ({ kind: "fiat", fiat: units })

test("a price of zero counts as missing", () => {
  expect(readPrice(assetOf(ETH, 1n, 1n))).toEqual({ ok: true, priceFiat: 1n })
  for (const price of [0n, null]) {
    expect(readPrice(assetOf(ETH, 1n, price))).toMatchObject({
      ok: false,
      reason: { code: "policy.price_missing" },
    })
  }
})

test("of several bounds on one balance the narrowest holds on each side, whatever their order", () => {
  const view: TreasuryView = { assets: [assetOf(BTC, 150n, null)], pairs: [] }
  const low = bandOf("low", 100n, 180n)
  const high = bandOf("high", 120n, 400n)
  // A partner keeps a tenth of the way to its target: of 120 to 260 that is 14.
  const expected = {
    giveUnits: 16n,
    giveWayUnits: 140n,
    takeUnits: 30n,
    takeWayUnits: 40n,
    takeRule: "low",
  }
  expect(headroomOf([low, high], view).get(BTC)).toEqual(expected)
  expect(headroomOf([high, low], view).get(BTC)).toEqual(expected)
  expect(headroomOf([bandOf("above", 200n, 300n)], view).get(BTC)).toMatchObject({
    giveUnits: 0n,
    takeUnits: 150n,
  })
})

describe("the ceilings of an order", () => {
  const rules = [share(10n), fiat(20n), null].map((maxCost, at) =>
    bandOf(`rule-${at}`, 1n, 3n, maxCost === null ? {} : { maxCost }),
  )

  test("are those of all rules that it serves", () => {
    expect(ruleCosts(rules, { rules: ["rule-0"] })).toEqual({ ruleMaxCost: share(10n) })
    expect(ruleCosts(rules, { rules: ["rule-2", "rule-0"] })).toEqual({ ruleMaxCost: share(10n) })
    const both = { ruleMaxCost: share(10n), alsoMaxCosts: [fiat(20n)] }
    expect(ruleCosts(rules, { rules: ["rule-0", "rule-1"] })).toEqual(both)
    expect(ruleCosts([], { rules: ["gone"] })).toEqual({ ruleMaxCost: null })
  })

  test("are those of the plan where the plan states them", () => {
    expect(ruleCosts(rules, { rules: ["rule-0"], maxCosts: [share(50n)] })).toEqual({
      ruleMaxCost: share(50n),
    })
  })
})

describe("the cost ceilings of an order", () => {
  const quote: PairCosts = {
    readable: true,
    available: true,
    minUnits: 1n,
    maxUnits: null,
    fixedFeeFiat: 10n,
    bps: 0n,
  }
  const place = (id: typeof ETH) => ({ asset: assetOf(id, 1_000n, 1n), priceFiat: 1n })
  const need = (maxCost: CostLimit | null): Need => ({
    rule: "r",
    kind: "lose",
    asset: ETH,
    to: "target",
    wantUnits: 1n,
    mostUnits: 1n,
    leastUnits: 1n,
    partners: [],
    maxCost,
    why: { code: "test", message: "test" },
  })
  const least = (general: CostLimit | null, ...own: (CostLimit | null)[]): bigint | null => {
    const limits = { maxOrders: 9, maxOrder: null, split: false, maxCost: general }
    const found = boundOrder(
      { from: place(ETH), to: place(BTC), quote, needs: own.map(need) },
      limits,
    )
    return found.ok ? found.bounds.lo.units : null
  }

  test("both bind: the general one and the rule's own", () => {
    // A fixed cost of 10 is 1 % of 1000, and 2 % of 500.
    expect(least(share(100n), share(200n))).toBe(1_000n)
    expect(least(share(200n), share(100n))).toBe(1_000n)
    expect(least(share(200n), null)).toBe(500n)
    expect(least(null, share(200n))).toBe(500n)
    expect(least(null, null)).toBe(1n)
  })

  test("of two needs both hold", () => {
    expect(least(null, share(100n), share(200n))).toBe(1_000n)
    expect(least(fiat(9n), null)).toBeNull()
    expect(least(fiat(10n), null)).toBe(1n)
  })
})

test("an occurrence with an unknown payout makes the balance that it fills unreadable in this tick", () => {
  const recurring: PolicyRule = {
    id: "dca",
    kind: "recurring",
    from: ETH,
    to: BTC,
    amount: { kind: "units", units: 5n },
    schedule: "0 * * * *",
    timezone: "UTC",
    catchUp: "once",
    jitterMs: 0,
    windowMs: 60_000,
  }
  const view: TreasuryView = {
    assets: [assetOf(ETH, 100n, 1n), assetOf(BTC, 0n, 1n)],
    pairs: [{ from: ETH, to: BTC, quote: UNKNOWN }],
  }
  const due = [
    { rule: "dca", occurrence: "dca@1" },
    { rule: "band", occurrence: null },
  ]
  const limits = { maxOrders: 9, maxOrder: null, split: false, maxCost: null }
  const found = evaluate(view, [recurring, bandOf("band", 10n, 20n)], limits, due)
  expect(found.proposals).toMatchObject([
    { occurrence: "dca@1", units: 5n, receiveUnits: null, costFiat: null },
  ])
  expect(found.declined).toMatchObject([
    { rule: "band", reasons: [{ code: "policy.view_incomplete", cause: "policy.amount_unknown" }] },
  ])
})
