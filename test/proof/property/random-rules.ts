import fc from "fast-check"
import { parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { SweepRule } from "#policy/rules/sweep/sweep-rule.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { A, assetOf, B, C, D, FIAT, type Id, pairOf } from "../../unit/policy/sample-plan.ts"

/** Random treasuries of six assets on four chains, and up to six random rules. */
export const IDS = [A, B, C, D, parseAssetId("a:eur"), parseAssetId("b:eur")]

export const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value)
export const some = (min: number, max: number): fc.Arbitrary<bigint> =>
  fc.bigInt(BigInt(min), BigInt(max))

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
      const [minUnits = 0n, targetUnits = 0n, maxUnits = 0n] = bounds.toSorted((a, b) =>
        a < b ? -1 : 1,
      )
      return { id: name, kind: "band", asset: id, minUnits, targetUnits, maxUnits, ...rest }
    })
const sweep = (from: Id, name: string): fc.Arbitrary<SweepRule> =>
  fc
    .record({ keepUnits: fc.oneof(fc.constant(0n), some(0, 3_000)), to: partners(from) })
    .map(({ keepUnits, to: [to = A] }) => ({ id: name, kind: "sweep", from, to, keepUnits }))
const weights = (name: string): fc.Arbitrary<WeightsRule> =>
  fc.shuffledSubarray(IDS, { minLength: 2, maxLength: 2 }).map(([a = A, b = B]) => ({
    id: name,
    kind: "weights",
    toleranceBps: 500n,
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

export const PAIRS = IDS.flatMap((from) =>
  IDS.filter((to) => to !== from).map((to) => ({ from, to })),
)

/** `least`: the least fixed cost of every pair, in millionths. */
export const viewsOf = (least: number): fc.Arbitrary<TreasuryView> =>
  fc
    .record({
      balances: fc.tuple(...IDS.map(() => some(0, 5_000))),
      costs: fc.tuple(
        ...PAIRS.map(() =>
          fc.record({
            fixedFeeFiat: some(least, 3_000_000),
            bps: some(0, 60),
            minUnits: some(0, 50),
          }),
        ),
      ),
    })
    .map(({ balances, costs }) => ({
      assets: IDS.map((id, index) => assetOf(id, balances[index] ?? 0n)),
      pairs: PAIRS.map(({ from, to }, index) => pairOf(from, to, costs[index] ?? {})),
    }))

export const someRules: fc.Arbitrary<PolicyRule[]> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => ruleAt(at))))

/** The keys that every rule may have, and those of a band. */
const extras = fc.record({
  priority: fc.nat(2),
  maxCost: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    some(20, 300).map((bps) => ({ kind: "share" as const, bps })),
    some(1, 40).map((usd) => ({ kind: "fiat" as const, fiat: usd * FIAT })),
  ),
  emptyTimes: some(1, 4),
  leastUnits: some(1, 200),
  move: fc.constantFrom("target" as const, "edge" as const),
  everyMs: fc.constantFrom(60_000, 3_600_000),
})

/**
 * The same rules with priorities, ceilings of their own, least orders, and bands that return to
 * their edge.
 */
export const variedRules: fc.Arbitrary<PolicyRule[]> = fc
  .tuple(someRules, fc.tuple(...Array.from({ length: 6 }, () => extras)))
  .map(([rules, all]) =>
    rules.map((rule, at): PolicyRule => {
      const { priority, maxCost, emptyTimes, leastUnits, move, everyMs } =
        all[at] ?? mustExist(all[0], "the first extras")
      if (rule.kind !== "band") return { ...rule, priority, maxCost }
      const maxCostWhenEmpty =
        maxCost === null
          ? null
          : maxCost.kind === "share"
            ? { kind: maxCost.kind, bps: maxCost.bps * emptyTimes }
            : { kind: maxCost.kind, fiat: maxCost.fiat * emptyTimes }
      return { ...rule, priority, maxCost, maxCostWhenEmpty, leastUnits, move, everyMs }
    }),
  )
