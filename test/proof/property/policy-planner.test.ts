import fc from "fast-check"
import { expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { SweepRule } from "#policy/rules/sweep/sweep-rule.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import {
  type AssetView,
  liquidUnits,
  type PairCosts,
  positionUnits,
  type TreasuryView,
} from "#policy/treasury-view.ts"
import { arrive } from "../../fixtures/policy/arrive.ts"

/**
 * Whole treasuries: a few assets of different decimals and prices, a rule for most of them, quotes
 * for most pairs.
 */
const SHAPES = [
  { id: parseAssetId("a:btc"), decimals: 8, priceFiat: 97_123_450_000n },
  { id: parseAssetId("b:wbtc"), decimals: 8, priceFiat: 97_000_000_001n },
  { id: parseAssetId("b:usdc"), decimals: 6, priceFiat: 999_871n },
  { id: parseAssetId("c:sol"), decimals: 9, priceFiat: 187_333_333n },
  { id: parseAssetId("d:eth"), decimals: 18, priceFiat: 3_456_789_123n },
] as const
const IDS = SHAPES.map(({ id }) => id)
const FIAT = 1_000_000n

type World = { view: TreasuryView; rules: PolicyRule[]; limits: PlanLimits }

test("every plan keeps liquid balances, pair bounds, limits, the cost ceiling and the order count", () => {
  check(({ view, rules, limits }, evaluation) => {
    const sold = new Map<AssetId, bigint>()
    for (const { from, to, units, rules: served } of evaluation.proposals) {
      sold.set(from, (sold.get(from) ?? 0n) + units)
      const occurrence = served.every(
        (id) => rules.find((rule) => rule.id === id)?.kind === "recurring",
      )
      if (occurrence) continue
      const quote = quoteOf(view, from, to)
      expect(units).toBeGreaterThanOrEqual(quote.minUnits)
      if (quote.maxUnits !== null) expect(units).toBeLessThanOrEqual(quote.maxUnits)
      const { decimals, priceFiat } = shapeOf(from)
      const scale = 10n ** BigInt(decimals)
      if (limits.maxOrder?.kind === "fiat")
        expect(units * priceFiat).toBeLessThanOrEqual(limits.maxOrder.fiat * scale)
      if (limits.maxCost?.kind === "share") {
        const costScaled = quote.fixedFeeFiat * scale * 10_000n + units * priceFiat * quote.bps
        expect(costScaled).toBeLessThanOrEqual(units * priceFiat * limits.maxCost.bps)
      }
    }
    for (const [id, units] of sold) expect(units).toBeLessThanOrEqual(liquidOf(view, id))
    expect(evaluation.proposals.length).toBeLessThanOrEqual(limits.maxOrders)
  })
})

test("a band with all its needs met ends within its bounds, and no plan pushes a band out of them", () => {
  let seen = 0
  check(({ view, rules }, evaluation) => {
    // An occurrence is placed as configured, also when it leaves a band.
    if (rules.some(({ kind }) => kind === "recurring")) return
    const short = new Set(evaluation.declined.map(({ rule }) => rule))
    const after = arrive(view, evaluation.proposals)
    for (const rule of rules) {
      if (rule.kind !== "band") continue
      const before = heldIn(view, rule.asset)
      const end = heldIn(after, rule.asset)
      if (before === null || end === null) continue
      const inside = before >= rule.minUnits && before <= rule.maxUnits
      if (!inside && short.has(rule.id)) continue
      if (!inside) seen += 1
      expect(end, rule.id).toBeGreaterThanOrEqual(rule.minUnits)
      expect(end, rule.id).toBeLessThanOrEqual(rule.maxUnits)
    }
  })
  expect(seen).toBeGreaterThan(50)
})

test("a rule with all its needs met proposes nothing in the next tick", () => {
  check(({ view, rules, limits }, evaluation) => {
    const short = new Set(evaluation.declined.map(({ rule }) => rule))
    const again = evaluate(arrive(view, evaluation.proposals), rules, limits)
    const served = new Set(evaluation.proposals.flatMap((proposal) => proposal.rules))
    // Shares are relative to a total, which another rule may have changed.
    const kinds = new Map(rules.map(({ id, kind }) => [id, kind]))
    const done = [...served].filter((id) => !short.has(id) && kinds.get(id) !== "weights")
    for (const { rules: asking } of again.proposals) {
      for (const id of done) expect(asking).not.toContain(id)
    }
  })
})

test("every due rule gets a proposal or a reason, and the same input gives the same answer", () => {
  check(({ view, rules, limits }, evaluation) => {
    const heard = new Set([
      ...evaluation.proposals.flatMap((proposal) => proposal.rules),
      ...evaluation.declined.map(({ rule }) => rule),
    ])
    expect([...heard].sort()).toEqual(rules.map(({ id }) => id).sort())
    for (const { reasons } of evaluation.declined) expect(reasons.length).toBeGreaterThan(0)
    expect(evaluate(view, rules, limits, dueOf(rules))).toEqual(evaluation)
  })
})

test("a plan never uses an unreadable asset, and that asset blocks no other rule", () => {
  check(({ view, rules, limits }) => {
    const down = parseAssetId("a:btc")
    const assets = view.assets.map((asset): AssetView => {
      const cause = { code: "chain.unavailable", message: "down" }
      return asset.id === down ? { ...asset, balance: { readable: false, cause } } : asset
    })
    const without = evaluate({ ...view, assets }, rules, limits, dueOf(rules))
    for (const { from, to, rules: served } of without.proposals) {
      if (served.some((id) => rules.find((rule) => rule.id === id)?.kind === "recurring")) continue
      expect([from, to]).not.toContain(down)
    }
    const untouched = rules.filter((rule) => !JSON.stringify(rule, textOf).includes(`${down}`))
    const alone = evaluate(view, untouched, limits, dueOf(untouched))
    const still = evaluate({ ...view, assets }, untouched, limits, dueOf(untouched))
    expect(still).toEqual(alone)
  })
})

function check(property: (world: World, evaluation: Evaluation) => void): void {
  fc.assert(
    fc.property(worlds, (world) => {
      const { view, rules, limits } = world
      property(world, evaluate(view, rules, limits, dueOf(rules)))
    }),
    { numRuns: 400, seed: 11 },
  )
}

/** The balance after all orders in flight; `null` when unreadable. */
function heldIn(view: TreasuryView, id: AssetId): bigint | null {
  const asset = view.assets.find((one) => one.id === id)
  return asset?.balance.readable ? positionUnits(asset.balance) : null
}

function liquidOf(view: TreasuryView, id: AssetId): bigint {
  const asset = view.assets.find((one) => one.id === id)
  return asset?.balance.readable ? liquidUnits(asset.balance) : 0n
}

function quoteOf(view: TreasuryView, from: AssetId, to: AssetId): PairCosts {
  const pair = view.pairs.find((one) => one.from === from && one.to === to)
  if (!pair?.quote.readable) throw new Error(`an order from ${from} to ${to} without a quote`)
  return pair.quote
}

function shapeOf(id: AssetId): (typeof SHAPES)[number] {
  const shape = SHAPES.find((one) => one.id === id)
  if (!shape) throw new Error(id)
  return shape
}

function dueOf(rules: readonly PolicyRule[]): { rule: string; occurrence: string | null }[] {
  return rules.map(({ id, kind }) => ({
    rule: id,
    occurrence: kind === "recurring" ? `${id}@1` : null,
  }))
}

function textOf(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value
}

/** Amounts are drawn in fiat, 0 to `max`, so that assets of all prices matter. */
function units(id: AssetId, max: number): fc.Arbitrary<bigint> {
  const { decimals, priceFiat } = shapeOf(id)
  return fc
    .integer({ min: 0, max: max * 100 })
    .map((cents) => (BigInt(cents) * (FIAT / 100n) * 10n ** BigInt(decimals)) / priceFiat)
}

const partners = (id: AssetId): fc.Arbitrary<AssetId[]> =>
  fc.shuffledSubarray(
    IDS.filter((other) => other !== id),
    { maxLength: 3 },
  )
const move = fc.constantFrom("target" as const, "edge" as const)

const bandOf = (asset: AssetId): fc.Arbitrary<BandRule> =>
  fc
    .record({
      bounds: fc.tuple(units(asset, 9_000), units(asset, 9_000), units(asset, 9_000)),
      sources: partners(asset),
      sinks: partners(asset),
      move,
    })
    .map(({ bounds, ...rest }) => {
      const [minUnits = 0n, targetUnits = 0n, maxUnits = 0n] = [...bounds].sort((a, b) =>
        a < b ? -1 : a > b ? 1 : 0,
      )
      return { id: `band-${asset}`, kind: "band", asset, minUnits, targetUnits, maxUnits, ...rest }
    })

const sweepOf = (from: AssetId): fc.Arbitrary<SweepRule> =>
  fc
    .record({
      keepUnits: units(from, 4_000),
      to: fc.constantFrom(...IDS.filter((id) => id !== from)),
      destination: fc.constantFrom(null, "cold"),
    })
    .map((rest) => ({ id: `sweep-${from}`, kind: "sweep", from, ...rest }))

const weights: fc.Arbitrary<WeightsRule> = fc
  .record({
    chosen: fc.shuffledSubarray(IDS, { minLength: 3, maxLength: 3 }),
    first: fc.integer({ min: 1, max: 8_000 }),
    move,
  })
  .map(({ chosen: [a, b, c], first, move: to }) => {
    const rest = BigInt(10_000 - first)
    const shares = [BigInt(first), rest / 2n, rest - rest / 2n]
    return {
      id: "weights",
      kind: "weights",
      weights: [a, b, c].flatMap((asset, index) =>
        asset ? [{ asset, bps: shares[index] ?? 0n }] : [],
      ),
      toleranceBps: 500n,
      move: to,
    }
  })

const recurringOf = (from: AssetId): fc.Arbitrary<RecurringRule> =>
  fc
    .record({
      to: fc.constantFrom(...IDS.filter((id) => id !== from)),
      fiat: fc.bigInt({ min: 1n, max: 3_000n * FIAT }),
    })
    .map(({ to, fiat }) => ({
      id: `recurring-${from}`,
      kind: "recurring",
      schedule: "0 9 * * *",
      timezone: "UTC",
      from,
      to,
      amount: { kind: "fiat", fiat },
      catchUp: "skip",
    }))

const ruleOf = (id: AssetId): fc.Arbitrary<PolicyRule | null> =>
  fc.oneof(
    { weight: 12, arbitrary: bandOf(id) },
    { weight: 2, arbitrary: sweepOf(id) },
    { weight: 1, arbitrary: recurringOf(id) },
    { weight: 2, arbitrary: fc.constant(null) },
  )

const quote = fc.record({
  readable: fc.constant(true as const),
  available: fc.constant(true),
  fixedFeeFiat: fc.bigInt({ min: 0n, max: 3n * FIAT }),
  bps: fc.bigInt({ min: 0n, max: 80n }),
})

const worlds: fc.Arbitrary<World> = fc.record({
  view: fc.record({
    assets: fc.tuple(
      ...SHAPES.map(({ id, decimals, priceFiat }) =>
        fc.record({
          id: fc.constant(id),
          decimals: fc.constant(decimals),
          priceFiat: fc.constant(priceFiat),
          balance: fc.record({
            readable: fc.constant(true as const),
            spendableUnits: units(id, 9_000),
            inFlightInUnits: fc.oneof(fc.constant(0n), units(id, 2_000)),
            inFlightOutUnits: fc.constant(0n),
            floorUnits: fc.oneof(fc.constant(0n), units(id, 500)),
          }),
        }),
      ),
    ),
    pairs: fc
      .tuple(
        ...IDS.flatMap((from) =>
          IDS.filter((to) => to !== from).map((to) =>
            fc
              .record({
                costs: quote,
                min: units(from, 50),
                max: fc.option(units(from, 4_000)),
                there: fc.nat(9),
              })
              .map(({ costs, min, max, there }) => ({
                from,
                to,
                quote: { ...costs, available: there > 0, minUnits: min, maxUnits: max },
              })),
          ),
        ),
      )
      .map((pairs) => [...pairs]),
  }),
  rules: fc
    .tuple(fc.option(weights, { freq: 1 }), ...IDS.map(ruleOf))
    .map((rules) => rules.filter((rule) => rule !== null)),
  limits: fc.record({
    maxOrders: fc.integer({ min: 0, max: 12 }),
    maxOrder: fc.option(
      fc
        .bigInt({ min: 200n * FIAT, max: 5_000n * FIAT })
        .map((fiat) => ({ kind: "fiat" as const, fiat })),
    ),
    split: fc.boolean(),
    maxCost: fc.option(
      fc.bigInt({ min: 20n, max: 300n }).map((bps) => ({ kind: "share" as const, bps })),
    ),
  }),
})
