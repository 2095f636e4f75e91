import fc from "fast-check"
import { expect, test } from "vitest"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import { judgeOfferCost } from "#guards/offer.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { PairCosts, TreasuryView } from "#policy/treasury-view.ts"
import { A, assetOf, B, FIAT, pairOf } from "../../unit/policy/sample-plan.ts"
import { some } from "./random-rules.ts"

/**
 * One rule and one pair of assets whose smallest units are worth up to two hundred of the currency.
 * The service rounds each payout down to whole units, and the guards judge what arrives. They must
 * refuse no order of the plan; and where they would accept an order of at most the need, the rule
 * gets one. The orders that the test tries are those that pay whole units, and evenly spaced ones.
 *
 * `BALLAST_PLAN_RUNS=100000` runs more configurations, `BALLAST_PLAN_SEED=17` others.
 */
const RUNS = Number(process.env["BALLAST_PLAN_RUNS"] ?? 4_000)
const SEED = Number(process.env["BALLAST_PLAN_SEED"] ?? 16)

test("a rule with an affordable order gets one that the guards accept, whatever a unit of the " +
  "payout is worth", {
  timeout: 600_000,
}, () => {
  let planned = 0
  let declined = 0
  fc.assert(
    fc.property(worlds, (world) => {
      const { rule, view, limits } = build(world)
      const { proposals } = evaluate(view, [rule], limits)
      for (const { units } of proposals) expect(judge(world, units)).toEqual([])
      if (proposals.length > 0) planned += 1
      else declined += 1
      expect(proposals.length > 0 ? [] : findAffordable(world)).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(planned).toBeGreaterThan(RUNS / 5)
  expect(declined).toBeGreaterThan(RUNS / 5)
})

/** `unitFiat`: the worth of one smallest unit. */
type Unit = { readonly decimals: number; readonly unitFiat: bigint }

type World = {
  readonly from: Unit
  readonly to: Unit
  readonly fixedFeeFiat: bigint
  readonly bps: bigint
  readonly networkFeeFiat: bigint
  readonly risk: NonNullable<PairCosts["risk"]>
  readonly general: CostLimit
  readonly own: CostLimit | null
  /** In whole units of the currency. */
  readonly want: bigint
  readonly kind: "band" | "sweep"
}

const REFUND_FIAT = FIAT / 2n
const FULL = 10_000n

const unit: fc.Arbitrary<Unit> = fc.record({
  decimals: fc.constantFrom(0, 1, 2, 6, 8, 18),
  unitFiat: fc.oneof(
    fc.constantFrom(1n, 10n, 1_000n, 10_000n, FIAT, 10n * FIAT, 100n * FIAT),
    some(1, 200_000_000),
  ),
})

const ceiling: fc.Arbitrary<CostLimit> = fc.oneof(
  some(5, 400).map((bps) => ({ kind: "share" as const, bps })),
  some(1, 40_000_000).map((fiat) => ({ kind: "fiat" as const, fiat })),
  some(1, 20).map((usd) => ({ kind: "fiat" as const, fiat: usd * FIAT })),
)

const worlds: fc.Arbitrary<World> = fc.record({
  from: unit,
  to: unit,
  fixedFeeFiat: fc.oneof(fc.constant(0n), some(0, 3_000_000)),
  bps: fc.oneof(fc.constant(0n), some(0, 200)),
  networkFeeFiat: fc.oneof(fc.constant(0n), some(0, 2_000_000)),
  risk: fc.record({
    refundPpm: fc.oneof(fc.constant(0n), some(0, 500_000)),
    lockPpb: fc.oneof(fc.constant(0n), some(0, 3_000_000)),
  }),
  general: ceiling,
  own: fc.option(ceiling),
  want: some(20, 3_000),
  kind: fc.constantFrom("band" as const, "sweep" as const),
})

/** The source of a refill holds ten times the need. */
function build(world: World): {
  readonly rule: PolicyRule
  readonly view: TreasuryView
  readonly limits: PlanLimits
} {
  const { from, to, fixedFeeFiat, bps, networkFeeFiat, risk, own } = world
  const quote = { fixedFeeFiat, bps, networkFeeFiat, refundFeeFiat: REFUND_FIAT, risk }
  const wantUnits = needOf(world)
  const view = {
    assets: [
      { ...assetOf(A, heldOf(world)), decimals: from.decimals, priceFiat: priceOf(from) },
      { ...assetOf(B, 0n), decimals: to.decimals, priceFiat: priceOf(to) },
    ],
    pairs: [pairOf(A, B, quote)],
  }
  const band = {
    kind: "band" as const,
    asset: B,
    minUnits: wantUnits,
    targetUnits: wantUnits,
    maxUnits: 3n * wantUnits,
    sources: [A],
    sinks: [],
  }
  const sweep = { kind: "sweep" as const, from: A, to: B, keepUnits: 0n }
  const rule: PolicyRule = { id: "r", maxCost: own, ...(world.kind === "band" ? band : sweep) }
  return {
    rule,
    view,
    limits: { maxOrders: 9, maxOrder: null, split: true, maxCost: world.general },
  }
}

function priceOf({ decimals, unitFiat }: Unit): bigint {
  return unitFiat * 10n ** BigInt(decimals)
}

function heldOf({ from, want, kind }: World): bigint {
  return ((kind === "band" ? 10n : 1n) * want * FIAT) / from.unitFiat
}

/** What a band is to gain, in units of the payout. */
function needOf({ to, want }: World): bigint {
  return (want * FIAT) / to.unitFiat
}

function payoutOf({ from, to, bps, fixedFeeFiat }: World, units: bigint): bigint {
  const net = units * from.unitFiat * (FULL - bps) - fixedFeeFiat * FULL
  return net <= 0n ? 0n : net / (to.unitFiat * FULL)
}

function judge(world: World, units: bigint): readonly Reason[] {
  const { from, to, networkFeeFiat, risk, general, own } = world
  const destinationUnits = payoutOf(world, units)
  const quote = {
    from: A,
    to: B,
    sourceUnits: units,
    destinationUnits,
    sourceFiat: units * from.unitFiat,
    destinationFiat: destinationUnits * to.unitFiat,
    solverId: "s",
    estimatedSeconds: null,
  }
  const fees = { depositFiat: networkFeeFiat, refundFiat: REFUND_FIAT }
  return judgeOfferCost(
    quote,
    { from: null, to: null },
    { maxCost: general, ruleMaxCost: own },
    {
      decimals: { from: 0, to: 0 },
      toleranceBps: 0n,
      own: { fees, risk },
    },
  ).refusals
}

/**
 * Orders of at most the need that lose less than half of their value, and that the guards accept.
 */
function findAffordable(world: World): bigint[] {
  const { from, to, kind, networkFeeFiat } = world
  const held = heldOf(world)
  const need = needOf(world)
  const most = kind === "band" ? smaller(held, soldFor(world, need)) : held
  const isWorth = (units: bigint, payout: bigint): boolean =>
    (payout * to.unitFiat - networkFeeFiat - REFUND_FIAT) * 2n > units * from.unitFiat
  return sizesUpTo(world, most).filter((units) => {
    const payout = payoutOf(world, units)
    const isWanted = kind === "sweep" || payout <= need
    return isWanted && isWorth(units, payout) && judge(world, units).length === 0
  })
}

function sizesUpTo(world: World, most: bigint): bigint[] {
  const best = payoutOf(world, most)
  const steps = Array.from({ length: 200 }, (_, index) => BigInt(index))
  const whole = steps.flatMap((step) => [step + 1n, best - step]).filter((payout) => payout > 0n)
  const sizes = [
    ...steps.map((step) => most - (most * step) / 200n),
    ...steps.map((step) => most - step),
    ...whole.map((payout) => soldFor(world, payout)),
  ]
  return [...new Set(sizes)].filter((units) => units > 0n && units <= most)
}

/** The fewest units of the source for that payout. */
function soldFor({ from, to, bps, fixedFeeFiat }: World, payout: bigint): bigint {
  const per = from.unitFiat * (FULL - bps)
  return ((payout * to.unitFiat + fixedFeeFiat) * FULL + per - 1n) / per
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
