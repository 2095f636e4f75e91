import fc from "fast-check"
import { expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf, parseAssetId } from "#domain/asset.ts"
import { readCapacity } from "#guards/capacity.ts"
import { admitRequest, admitValue, type Limits, type LimitUsage } from "#guards/limits.ts"
import { evaluate, findNeeds, isStanding } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { SweepRule } from "#policy/rules/sweep/sweep-rule.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { A, assetOf, B, C, D, FIAT, type Id, pairOf, share } from "../policy/sample-plan.ts"

/**
 * Up to six random rules, and random limits of which a part is used up already. The planner gets what is left; then the guards of admission judge its
 * orders one after the other, and count each accepted order before they judge the next one.
 */
const IDS = [A, B, C, D, parseAssetId("a:eur"), parseAssetId("b:eur")]
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

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value)
const some = (min: number, max: number): fc.Arbitrary<bigint> => fc.bigInt(BigInt(min), BigInt(max))

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

const partners = (id: Id): fc.Arbitrary<Id[]> =>
  fc.shuffledSubarray(
    IDS.filter((other) => other !== id),
    { minLength: 1, maxLength: 4 },
  )
const band = (id: Id, name: string): fc.Arbitrary<BandRule> =>
  fc
    .record({
      bounds: fc.tuple(some(0, 4_000), some(0, 4_000), some(0, 4_000)),
      sources: partners(id),
      sinks: partners(id),
    })
    .map(({ bounds, ...rest }) => {
      const [minUnits = 0n, targetUnits = 0n, maxUnits = 0n] = bounds.toSorted((a, b) => (a < b ? -1 : 1))
      return { id: name, kind: "band", asset: id, minUnits, targetUnits, maxUnits, ...rest }
    })
const sweep = (from: Id, name: string): fc.Arbitrary<SweepRule> =>
  fc
    .record({ keepUnits: some(0, 3_000), to: partners(from) })
    .map(({ keepUnits, to: [to = A] }) => ({ id: name, kind: "sweep", from, to, keepUnits }))
const weights = (name: string): fc.Arbitrary<WeightsRule> =>
  fc.shuffledSubarray(IDS, { minLength: 2, maxLength: 2 }).map(([a = A, b = B]) => ({
    ...{ id: name, kind: "weights", toleranceBps: 500n },
    weights: [
      { asset: a, bps: 4_000n },
      { asset: b, bps: 6_000n },
    ],
  }))
const ruleAt = (at: number): fc.Arbitrary<PolicyRule> =>
  fc
    .constantFrom(...IDS)
    .chain(
      (id): fc.Arbitrary<PolicyRule> =>
        fc.oneof(band(id, `r${at}`), band(id, `r${at}`), sweep(id, `r${at}`), weights(`r${at}`)),
    )

const pairs = IDS.flatMap((from) => IDS.filter((to) => to !== from).map((to) => ({ from, to })))
const worlds = fc.record({
  view: fc
    .record({
      balances: fc.tuple(...IDS.map(() => some(0, 5_000))),
      costs: fc.tuple(
        ...pairs.map(() => fc.record({ fixedFeeFiat: some(0, 3_000_000), bps: some(0, 60), minUnits: some(0, 50) })),
      ),
    })
    .map(
      ({ balances, costs }): TreasuryView => ({
        assets: IDS.map((id, index) => assetOf(id, balances[index] ?? 0n)),
        pairs: pairs.map(({ from, to }, index) => pairOf(from, to, costs[index] ?? {})),
      }),
    ),
  rules: fc
    .integer({ min: 1, max: 6 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => ruleAt(at)))),
  limits: limitsOf,
  used: fc.record({ inFlight: fc.nat(3), fiat: some(0, 2_000).map((usd) => usd * FIAT), count: fc.nat(3) }),
})
