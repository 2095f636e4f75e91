import fc from "fast-check"
import { expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { neededPairs } from "#engine/tick/plan-limits.ts"
import { readCapacity } from "#guards/capacity.ts"
import { admitRequest, admitValue, type Limits, type LimitUsage } from "#guards/limits.ts"
import { judgeOfferCost } from "#guards/offer.ts"
import { evaluate, findNeeds, isStanding, type Proposal } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
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
  let [orders, shared] = [0, 0]
  fc.assert(
    fc.property(worlds, ({ view, rules, limits, used }) => {
      const general: PlanLimits = { maxOrders: 9, maxOrder: null, split: true, maxCost: share(100n) }
      const due = rules.filter(isStanding).map(({ id }) => ({ rule: id, occurrence: null }))
      const queries = neededPairs(findNeeds(view, rules, general, due))
      const counter = createCounter(limits, used)
      const { orders: most, counts, windows, refused } = readCapacity(limits, queries, counter.usage, NOW)
      const plan = evaluate(view, rules, { ...general, maxOrders: most, blocked: refused, counts, windows }, due)
      for (const proposal of plan.proposals) {
        const { rules: served, from, to, units, costFiat } = proposal
        const [rule = "", secondRule = null] = served
        const usage = counter.usage({ rule, secondRule, from, to })
        const reasons = [
          ...admitRequest({ rule, from, to, sourceUnits: units, nowMs: NOW }, usage, limits),
          ...admitValue({ sourceFiat: units * FIAT, feesFiat: costFiat }, usage, limits),
          ...judgeCost(view, rules, proposal),
        ]
        expect(reasons).toEqual([])
        counter.add({ rule, secondRule, from, to, units, feesFiat: costFiat ?? 0n })
        orders += 1
        shared += secondRule === null ? 0 : 1
      }
    }),
    { numRuns: RUNS, seed: 16 },
  )
  expect(orders).toBeGreaterThan(RUNS / 10)
  expect(shared).toBeGreaterThan(RUNS / 100)
})

type Query = {
  readonly rule: string
  readonly secondRule?: string | null
  readonly from: AssetId
  readonly to: AssetId
}
type Counted = Query & { readonly units: bigint; readonly feesFiat: bigint }

const serves =
  (wanted: string) =>
  ({ rule, secondRule }: Counted): boolean =>
    rule === wanted || secondRule === wanted

/** What the guards say about all costs of the order at the quote that the view's costs give. */
function judgeCost(view: TreasuryView, rules: readonly PolicyRule[], proposal: Proposal): readonly Reason[] {
  const { from, to, units } = proposal
  const sourceFiat = units * FIAT
  const costs = view.pairs.find((pair) => pair.from === from && pair.to === to)?.quote
  if (!costs?.readable) return [{ code: "unknown", message: "The plan has no costs" }]
  const { networkFeeFiat = 0n, refundFeeFiat = 0n, risk = { refundPpm: 0n, lockPpb: 0n } } = costs
  const quote = {
    ...{ from, to, sourceUnits: units, destinationUnits: units, solverId: "s", estimatedSeconds: null },
    // The service pays in smaller units than those of this treasury.
    ...{ sourceFiat, destinationFiat: sourceFiat - costs.fixedFeeFiat - (sourceFiat * costs.bps + 9_999n) / 10_000n },
  }
  const own = { fees: { depositFiat: networkFeeFiat, refundFiat: refundFeeFiat }, risk }
  const policy = { maxCost: share(100n), ...ruleCosts(rules, proposal) }
  const basis = { decimals: { from: 0, to: 0 }, toleranceBps: 0n, own }
  return judgeOfferCost(quote, { from: null, to: null }, policy, basis).refusals
}

/** Counts orders as the journal does. `used`: what was counted before. */
function createCounter(limits: Limits, used: { inFlight: number; fiat: bigint; count: number }) {
  const placed: Counted[] = []
  const touches =
    (chain: ChainId) =>
    ({ from, to }: Counted): boolean =>
      [from, to].some((id) => chainOf(id) === chain)
  return {
    add: (order: Counted) => placed.push(order),
    usage: ({ rule, secondRule = null, from, to }: Query): LimitUsage => ({
      inFlight: used.inFlight + placed.length,
      inFlightOf: {
        rule: placed.filter(serves(rule)).length,
        ...(secondRule === null
          ? {}
          : { secondRule: { rule: secondRule, count: placed.filter(serves(secondRule)).length } }),
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

const ownCosts = fc.record({
  ...{ networkFeeFiat: some(0, 2_000_000), refundFeeFiat: some(0, 4_000_000) },
  risk: fc.record({ refundPpm: some(0, 500_000), lockPpb: some(0, 3_000_000) }),
})

/** Network fees and risks; few of them, because the pairs have many other numbers. */
const riskyViews: fc.Arbitrary<TreasuryView> = fc
  .tuple(viewsOf(0), fc.tuple(ownCosts, ownCosts, ownCosts))
  .map(([view, own]) => ({
    ...view,
    pairs: view.pairs.map(({ quote, ...pair }, index) => ({
      ...pair,
      quote: quote.readable ? { ...quote, ...own[index % own.length] } : quote,
    })),
  }))

const worlds = fc.record({
  view: riskyViews,
  rules: someRules,
  limits: limitsOf,
  used: fc.record({ inFlight: fc.nat(3), fiat: some(0, 2_000).map((usd) => usd * FIAT), count: fc.nat(3) }),
})
