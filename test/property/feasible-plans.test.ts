import fc from "fast-check"
import { expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { readCapacity } from "#guards/capacity.ts"
import { admitRequest, admitValue, type Limits, type LimitUsage } from "#guards/limits.ts"
import { evaluate, findNeeds, isStanding } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { FIAT, share } from "../policy/sample-plan.ts"
import { IDS, maybe, some, someRules, viewsOf } from "./random-rules.ts"

/**
 * Up to six random rules, and random limits of which a part is used up already. The planner gets what is left; then the guards of admission judge its
 * orders one after the other, and count each accepted order before they judge the next one.
 */
const NOW = Date.UTC(2026, 5, 1, 12)
const RUNS = 10_000

test("admission refuses no order of a plan for a reason that was known at planning", {
  timeout: 240_000,
}, () => {
  let orders = 0
  fc.assert(
    fc.property(worlds, ({ view, rules, limits, used }) => {
      const general: PlanLimits = { maxOrders: 9, maxOrder: null, split: true, maxCost: share(100n) }
      const due = rules.filter(isStanding).map(({ id }) => ({ rule: id, occurrence: null }))
      const queries = findNeeds(view, rules, general, due).flatMap(({ rule, kind, asset, partners }) =>
        partners.map((one) => ({
          rule,
          from: kind === "lose" ? asset : one.asset,
          to: kind === "lose" ? one.asset : asset,
        })),
      )
      const counter = createCounter(limits, used)
      const { orders: most, counts, windows, refused } = readCapacity(limits, queries, counter.usage, NOW)
      const plan = evaluate(view, rules, { ...general, maxOrders: most, blocked: refused, counts, windows }, due)
      for (const { rules: served, from, to, units, costFiat } of plan.proposals) {
        const [rule = ""] = served
        const usage = counter.usage({ rule, from, to })
        const reasons = [
          ...admitRequest({ rule, from, to, sourceUnits: units, nowMs: NOW }, usage, limits),
          ...admitValue({ sourceFiat: units * FIAT, feesFiat: costFiat }, usage, limits),
        ]
        expect(reasons).toEqual([])
        counter.add({ rule, from, to, units, feesFiat: costFiat ?? 0n })
        orders += 1
      }
    }),
    { numRuns: RUNS, seed: 16 },
  )
  expect(orders).toBeGreaterThan(RUNS / 10)
})

type Query = { readonly rule: string; readonly from: AssetId; readonly to: AssetId }
type Counted = Query & { readonly units: bigint; readonly feesFiat: bigint }

/** Counts orders as the journal does. `used`: what was counted before. */
function createCounter(limits: Limits, used: { inFlight: number; fiat: bigint; count: number }) {
  const placed: Counted[] = []
  const touches =
    (chain: ChainId) =>
    ({ from, to }: Counted): boolean =>
      [from, to].some((id) => chainOf(id) === chain)
  return {
    add: (order: Counted) => placed.push(order),
    usage: ({ rule, from, to }: Query): LimitUsage => ({
      inFlight: used.inFlight + placed.length,
      inFlightOf: {
        rule: placed.filter((one) => one.rule === rule).length,
        pair: placed.filter((one) => one.from === from && one.to === to).length,
        chains: [...new Set([chainOf(from), chainOf(to)])].map((chain) => ({
          chain,
          count: used.inFlight + placed.filter(touches(chain)).length,
        })),
      },
      cooldownUntilMs: null,
      windows: limits.windows.map(() => ({
        fiat: placed.reduce((sum, { units }) => sum + units * FIAT, used.fiat),
        feesFiat: placed.reduce((sum, { feesFiat }) => sum + feesFiat, 0n),
        count: used.count + placed.length,
        units: placed.reduce((sum, one) => (one.from === from ? sum + one.units : sum), 0n),
      })),
    }),
  }
}

const limitsOf: fc.Arbitrary<Limits> = fc.record({
  maxOrder: fc.constant(null),
  maxInFlight: fc.nat(8),
  maxInFlightPerRule: maybe(fc.integer({ min: 1, max: 3 })),
  maxInFlightPerPair: maybe(fc.integer({ min: 1, max: 3 })),
  maxInFlightPerChain: maybe(fc.integer({ min: 1, max: 5 })),
  windows: fc.array(
    fc.record({
      perMs: fc.constant(3_600_000),
      max: maybe(
        fc.oneof(
          some(0, 6_000).map((usd) => ({ kind: "fiat" as const, fiat: usd * FIAT })),
          fc
            .record({ id: fc.constantFrom(...IDS), units: some(0, 3_000) })
            .map(({ id, units }) => ({ kind: "units" as const, byAsset: { [id]: units } })),
        ),
      ),
      maxFeesFiat: maybe(some(0, 30).map((usd) => usd * FIAT)),
      maxCount: maybe(fc.nat(6)),
    }),
    { maxLength: 2 },
  ),
})

const worlds = fc.record({
  view: viewsOf(0),
  rules: someRules,
  limits: limitsOf,
  used: fc.record({ inFlight: fc.nat(3), fiat: some(0, 2_000).map((usd) => usd * FIAT), count: fc.nat(3) }),
})
