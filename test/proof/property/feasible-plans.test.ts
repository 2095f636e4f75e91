import fc from "fast-check"
import { expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { createMemory } from "#engine/memory.ts"
import { derivePlanLimits } from "#engine/rules/tick/derive-plan-limits.ts"
import {
  combineLimits,
  gasSources,
  limitsOf,
  type NeededPair,
} from "#engine/rules/tick/plan-limits.ts"
import { type CountingContext, readUsage } from "#engine/rules/usage.ts"
import { admitFunds, admitRequest, admitService, admitValue, type Limits } from "#guards/limits.ts"
import { judgeOfferCost } from "#guards/offer.ts"
import { isAboveLimit } from "#guards/service-secret.ts"
import { evaluate, isStanding, type Proposal } from "#policy/evaluate.ts"
import type { ChainGas, PairLimit, PlanLimits } from "#policy/planner/limits.ts"
import { ruleCosts } from "#policy/rule-costs.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import { findAsset, type PairCosts, type TreasuryView } from "#policy/treasury-view.ts"
import { ciRuns } from "../../support/ci-sample.ts"
import { A, C, FIAT, share } from "../../unit/policy/sample-plan.ts"
import { IDS, maybe, PAIRS, some, variedRules, viewsOf } from "./random-rules.ts"

/**
 * Up to six random rules, and random limits of every kind, of which a part is used up already. The
 * planner gets what is left; then the guards of admission judge its orders one after the other, and
 * count each accepted order before they judge the next one.
 *
 * `BALLAST_PLAN_RUNS=100000` runs more configurations, `BALLAST_PLAN_SEED=17` others.
 */
const NOW = Date.UTC(2026, 5, 1, 12)
const RUNS = Number(process.env["BALLAST_PLAN_RUNS"] ?? ciRuns(10_000, 2))
const SEED = Number(process.env["BALLAST_PLAN_SEED"] ?? 16)

test("admission refuses no order of a plan for a reason that was known at planning", {
  timeout: 600_000,
}, () => {
  let orders = 0
  let shared = 0
  let scheduledOrders = 0
  const refused = new Map<string, number>()
  fc.assert(
    fc.property(worlds, (world) => {
      const { view, rules } = world
      const book = createBook(world)
      const general = limitsOf(
        { journal: book.counting.journal, settings: book.counting.settings },
        MAX_COST,
      )
      const due = rules.map((rule) => ({
        rule: rule.id,
        occurrence: isStanding(rule) ? null : `${rule.id}@now`,
      }))
      const steps = derivePlanLimits(view, rules, due)
      let step = steps.next()
      while (!step.done) step = steps.next(planLimits(world, book.counting, general, step.value))
      const plan = evaluate(view, rules, step.value, due)
      for (const { code } of plan.declined.flatMap(({ reasons }) => reasons)) {
        refused.set(code, (refused.get(code) ?? 0) + 1)
      }
      for (const proposal of plan.proposals) {
        const reasons = book.judge(proposal)
        const known =
          proposal.occurrence === null
            ? reasons
            : reasons.filter(({ code }) => !QUOTED.includes(code))
        expect(known).toEqual([])
        scheduledOrders += proposal.occurrence === null ? 0 : 1
        if (reasons.length > 0) continue
        book.add(proposal)
        orders += 1
        shared += proposal.rules.length > 1 ? 1 : 0
      }
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(orders).toBeGreaterThan(RUNS / 10)
  expect(shared).toBeGreaterThan(RUNS / 100)
  // Most scheduled orders of these worlds are too dear, and the plan says so.
  expect(scheduledOrders).toBeGreaterThan(RUNS / 250)
  // Each kind of limit must have mattered in some of the worlds.
  for (const code of LIMITING)
    expect({ code, times: refused.get(code) ?? 0 }).toMatchObject({ times: expect.any(Number) })
  expect(LIMITING.filter((code) => !refused.has(code))).toEqual([])
})

/**
 * A scheduled order has its amount from its rule. At a ceiling, the plan leaves the last two
 * millionths to admission, which asks for a quote of its own.
 */
const QUOTED = ["price.zero", "price.cost", "price.total_cost"]

/** The reasons of the limits that the worlds draw. */
const LIMITING = [
  "paused",
  "limit.cooldown",
  "limit.quiet_hours",
  "limit.window",
  "limit.window_count",
  "limit.in_flight_rule",
  "limit.in_flight_pair",
  "limit.in_flight_chain",
  "limit.in_flight_service",
  "policy.window",
  "policy.gas",
  "policy.order_count",
  "policy.too_dear",
  "policy.illiquid",
  "policy.no_order_fits",
]

type World = {
  readonly view: TreasuryView
  readonly rules: readonly PolicyRule[]
  readonly limits: Limits
  readonly used: {
    readonly inFlight: number
    readonly fiat: bigint
    readonly count: number
    readonly service: number
  }
  readonly failed: readonly string[]
  readonly paused: readonly string[]
  readonly gas: readonly Gas[]
  readonly secretLimit: Limits["maxOrder"]
}

/**
 * The coin of a chain: `coin` is the asset that is this coin, `null` for a coin that is no asset.
 * Every asset has fees of its own.
 */
type Gas = {
  readonly chain: string
  readonly coin: AssetId | null
  readonly fees: ReadonlyMap<AssetId, bigint>
  /** The balance of a coin that is no asset. */
  readonly otherUnits: bigint
  readonly minUnits: bigint
}

const MAX_COST = share(100n)
const PAUSED: Reason = { code: "paused", message: "Paused" }
const isPaused = ({ paused }: World, rules: readonly string[], from: AssetId): boolean =>
  [...rules.map((rule) => `rule ${rule}`), `chain ${chainOf(from)}`].some((scope) =>
    paused.includes(scope),
  )

/** What the engine reads of the guards for a plan. */
function planLimits(
  world: World,
  counting: CountingContext,
  general: PlanLimits,
  pairs: readonly NeededPair[],
): PlanLimits {
  const { limits, used, secretLimit } = world
  const { maxInFlightPerService = null } = limits
  return combineLimits(counting, general, pairs, {
    refusalsOf: ({ rule, from }) => (isPaused(world, [rule], from) ? [PAUSED] : []),
    gas: gasSources(pairs).flatMap((from) => gasOf(world, from) ?? []),
    servicesLeft:
      maxInFlightPerService === null ? null : Math.max(0, maxInFlightPerService - used.service),
    orderLimits: pairs.flatMap(({ from, to, destination }): PairLimit[] =>
      secretLimit === null ? [] : [{ from, to, destination, max: below(secretLimit) }],
    ),
  })
}

/** As in `plan-limits.ts`. */
function below(limit: NonNullable<Limits["maxOrder"]>): NonNullable<Limits["maxOrder"]> {
  return limit.kind === "fiat" ? { ...limit, fiat: (limit.fiat * 99n) / 100n } : limit
}

function gasOf({ gas, view }: World, from: AssetId): ChainGas | null {
  const own = gas.find(({ chain }) => chain === chainOf(from))
  if (own === undefined) return null
  const { chain, coin, otherUnits, minUnits } = own
  const perOrderUnits = own.fees.get(from) ?? 0n
  if (coin === from) return { chain, coin, perOrderUnits, leftUnits: null }
  return {
    chain,
    coin,
    perOrderUnits,
    leftUnits: (coin === null ? otherUnits : heldOf(view, coin)) - minUnits,
  }
}

function heldOf(view: TreasuryView, id: AssetId): bigint {
  const balance = findAsset(view, id)?.balance
  return balance?.readable ? balance.spendableUnits : 0n
}

/**
 * Counts orders as the journal does, and judges as admission does. `used`: what was counted before.
 */
function createBook(world: World) {
  const { view, rules, limits, used, failed, gas, secretLimit } = world
  const placed: Proposal[] = []
  const touches = (id: ChainId, { from, to }: Proposal): boolean =>
    [from, to].some((asset) => chainOf(asset) === id)
  const journal: CountingContext["journal"] = {
    readFlag: () => null,
    countInFlight: (of) => {
      if (of === undefined) return used.inFlight + placed.length
      if ("service" in of) return used.service + placed.length
      if ("chain" in of)
        return used.inFlight + placed.filter((one) => touches(of.chain, one)).length
      if ("rule" in of) return placed.filter((one) => one.rules.includes(of.rule)).length
      return placed.filter(({ from, to }) => from === of.from && to === of.to).length
    },
    readFailures: (of) => {
      const scope = "rule" in of ? of.rule : `${of.from}>${of.to}`
      return failed.includes(scope) ? { count: 1, lastMs: NOW - 1_000 } : { count: 0, lastMs: null }
    },
    sumWindow: (_, asset) => ({
      fiat: placed.reduce(
        (sum, { from, units }) => sum + fiatOf(view, from, units, "up"),
        used.fiat,
      ),
      feesFiat: placed.reduce((sum, one) => sum + feesFiatOf(view, one), 0n),
      count: used.count + placed.length,
      units: placed.reduce((sum, { from, units }) => (from === asset ? sum + units : sum), 0n),
    }),
  }
  const counting: CountingContext = {
    journal,
    memory: createMemory(),
    settings: { limits, cooldownMs: 60_000 },
    clock: { now: () => NOW },
  }

  function judge(proposal: Proposal): readonly Reason[] {
    const { rules: served, from, to, units } = proposal
    const sourceFiat = fiatOf(view, from, units, "up")
    const [rule = "", secondRule = null] = served
    const usage = readUsage(counting, { from, to, rule, secondRule, exceptOrder: null })
    const isOverSecret = isAboveLimit(secretLimit, { asset: from, units, fiat: sourceFiat })
    return [
      ...(isPaused(world, served, from) ? [PAUSED] : []),
      ...(isOverSecret ? [{ code: "limit.service_secret", message: "Too large" }] : []),
      ...admitRequest({ rule, from, to, sourceUnits: units, nowMs: NOW }, usage, limits),
      ...admitService({ service: "main", solver: null }, used.service + placed.length, limits),
      ...admitValue({ sourceFiat, feesFiat: feesFiatOf(view, proposal) }, usage, limits),
      ...judgeFunds(from, units),
      ...judgeCost(view, rules, proposal),
    ]
  }

  function judgeFunds(from: AssetId, units: bigint): readonly Reason[] {
    const own = gas.find(({ chain }) => chain === chainOf(from))
    const soldOf = (id: AssetId | null): bigint =>
      placed.reduce((sum, one) => (one.from === id ? sum + one.units : sum), 0n)
    const feesOf = (id: AssetId): bigint => own?.fees.get(id) ?? 0n
    const sourceIsNative = own?.coin === from
    const native =
      own === undefined || sourceIsNative
        ? null
        : own.coin === null
          ? own.otherUnits
          : heldOf(view, own.coin)
    return admitFunds(units, {
      spendableUnits: heldOf(view, from),
      committedUnits: soldOf(from),
      committedFeeUnits: placed.reduce(
        (sum, one) => (chainOf(one.from) === own?.chain ? sum + feesOf(one.from) : sum),
        0n,
      ),
      committedNativeUnits: sourceIsNative ? 0n : soldOf(own?.coin ?? null),
      feeUnits: feesOf(from) + (own?.minUnits ?? 0n),
      nativeUnits: native,
      sourceIsNative,
    })
  }

  return { counting, judge, add: (order: Proposal) => void placed.push(order) }
}

/** What the guards say about all costs of the order at the quote that the service gives for it. */
function judgeCost(
  view: TreasuryView,
  rules: readonly PolicyRule[],
  proposal: Proposal,
): readonly Reason[] {
  const { from, to, units } = proposal
  const costs = costsOf(view, proposal)
  if (costs === null) return [{ code: "unknown", message: "The plan has no costs" }]
  if (units < costs.minUnits || (costs.maxUnits !== null && units > costs.maxUnits)) {
    return [{ code: "service.amount_bounds", message: "Outside the bounds of the pair" }]
  }
  const { networkFeeFiat = 0n, refundFeeFiat = 0n, risk = { refundPpm: 0n, lockPpb: 0n } } = costs
  const destinationUnits = payoutOf(view, proposal)
  const quote = {
    from,
    to,
    sourceUnits: units,
    destinationUnits,
    solverId: "s",
    estimatedSeconds: null,
    sourceFiat: fiatOf(view, from, units, "down"),
    destinationFiat: fiatOf(view, to, destinationUnits, "down"),
  }
  const own = { fees: { depositFiat: networkFeeFiat, refundFiat: refundFeeFiat }, risk }
  const policy = { maxCost: MAX_COST, ...ruleCosts(rules, proposal) }
  const basis = { decimals: { from: 0, to: 0 }, toleranceBps: 0n, own }
  return judgeOfferCost(quote, { from: null, to: null }, policy, basis).refusals
}

function costsOf(view: TreasuryView, { from, to }: Proposal): PairCosts | null {
  const costs = view.pairs.find((pair) => pair.from === from && pair.to === to)?.quote
  return costs?.readable ? costs : null
}

/** The service pays whole smallest units of the destination, rounded down. */
function payoutOf(view: TreasuryView, proposal: Proposal): bigint {
  const sink = findAsset(view, proposal.to)
  const costs = costsOf(view, proposal)
  if (sink === null || sink.priceFiat === null || costs === null) return 0n
  const scale = 10n ** 24n
  const value = scaledValue(view, proposal.from, proposal.units, scale)
  const net = value * (10_000n - costs.bps) - costs.fixedFeeFiat * scale * 10_000n
  return net <= 0n ? 0n : (net * 10n ** BigInt(sink.decimals)) / (sink.priceFiat * scale * 10_000n)
}

function scaledValue(view: TreasuryView, id: AssetId, units: bigint, scale: bigint): bigint {
  const asset = findAsset(view, id)
  return (units * (asset?.priceFiat ?? 0n) * scale) / 10n ** BigInt(asset?.decimals ?? 0)
}

function fiatOf(view: TreasuryView, id: AssetId, units: bigint, rounding: "up" | "down"): bigint {
  const scale = 10n ** 24n
  const scaled = scaledValue(view, id, units, scale)
  return (rounding === "up" ? scaled + scale - 1n : scaled) / scale
}

/** The fees that the windows count: what the quote loses, and the deposit's and the refund's. */
function feesFiatOf(view: TreasuryView, proposal: Proposal): bigint {
  const { networkFeeFiat = 0n, refundFeeFiat = 0n } = costsOf(view, proposal) ?? {}
  const paid = fiatOf(view, proposal.to, payoutOf(view, proposal), "down")
  const lost = fiatOf(view, proposal.from, proposal.units, "up") - paid
  return (lost > 0n ? lost : 0n) + networkFeeFiat + refundFeeFiat
}

/** In fiat, or in units of one asset; the other assets have no limit then. */
const soldLimit = (least: number, most: number) =>
  fc.oneof(
    some(least, most).map((usd) => ({ kind: "fiat" as const, fiat: usd * FIAT })),
    fc
      .record({ id: fc.constantFrom(...IDS), units: some(least, most) })
      .map(({ id, units }) => ({ kind: "units" as const, byAsset: { [id]: units } })),
  )

/** Noon is quiet, or an hour that is over. */
const quietHours = fc.constantFrom([], [], [], [11, 12], [11, 13]).map((hours) =>
  hours.length === 0
    ? []
    : [
        {
          fromMinute: (hours[0] ?? 0) * 60,
          toMinute: (hours[1] ?? 0) * 60,
          timezone: "UTC",
          days: [0, 1, 2, 3, 4, 5, 6],
        },
      ],
)

const limits: fc.Arbitrary<Limits> = fc.record({
  maxOrder: maybe(soldLimit(20, 3_000)),
  maxInFlight: fc.nat(8),
  maxInFlightPerRule: maybe(fc.integer({ min: 1, max: 3 })),
  maxInFlightPerPair: maybe(fc.integer({ min: 1, max: 3 })),
  maxInFlightPerChain: maybe(fc.integer({ min: 1, max: 5 })),
  maxInFlightPerService: maybe(fc.integer({ min: 1, max: 5 })),
  quietHours,
  windows: fc.array(
    fc.record({
      perMs: fc.constant(3_600_000),
      max: maybe(soldLimit(0, 6_000)),
      maxFeesFiat: maybe(some(0, 30).map((usd) => usd * FIAT)),
      maxCount: maybe(fc.nat(6)),
    }),
    { maxLength: 2 },
  ),
})

const ownCosts = fc.record({
  networkFeeFiat: some(0, 2_000_000),
  refundFeeFiat: some(0, 4_000_000),
  risk: fc.record({ refundPpm: some(0, 500_000), lockPpb: some(0, 3_000_000) }),
  maxUnits: fc.option(some(50, 3_000)),
})

/**
 * Network fees, risks and largest orders; few of them, because the pairs have many other numbers.
 */
const riskyViews: fc.Arbitrary<TreasuryView> = fc
  .tuple(viewsOf(0), fc.tuple(ownCosts, ownCosts, ownCosts))
  .map(([view, own]) => ({
    ...view,
    pairs: view.pairs.map(({ quote, ...pair }, index) => ({
      ...pair,
      quote: quote.readable ? { ...quote, ...own[index % own.length] } : quote,
    })),
  }))

const [AEUR, BEUR] = ["a:eur", "b:eur"].map(parseAssetId)
const fee = some(0, 120)

/**
 * Chain `a` pays its fees in one of its assets, beside which it has a token; the coin of `b` is no
 * asset; `c` has a coin alone, and `d` has no fees.
 */
const gas: fc.Arbitrary<readonly Gas[]> = fc
  .record({
    a: fee,
    aToken: fee,
    b: fee,
    bToken: fee,
    c: fee,
    other: some(0, 600),
    min: some(0, 200),
  })
  .map(({ a, aToken, b, bToken, c, other, min }) => [
    {
      chain: "a",
      coin: A,
      fees: feesOf([
        [A, a],
        [AEUR, aToken],
      ]),
      otherUnits: 0n,
      minUnits: min,
    },
    {
      chain: "b",
      coin: null,
      fees: feesOf([
        [parseAssetId("b:usd"), b],
        [BEUR, bToken],
      ]),
      otherUnits: other,
      minUnits: min,
    },
    { chain: "c", coin: C, fees: feesOf([[C, c]]), otherUnits: 0n, minUnits: 0n },
  ])

function feesOf(
  entries: readonly (readonly [AssetId | undefined, bigint])[],
): ReadonlyMap<AssetId, bigint> {
  return new Map(entries.flatMap(([id, units]) => (id === undefined ? [] : [[id, units]])))
}

/**
 * A coin keeps the fees of one order and its minimum back, as the engine reads it (`readFloor`).
 */
function withFloors(view: TreasuryView, all: readonly Gas[]): TreasuryView {
  return {
    ...view,
    assets: view.assets.map((asset) => {
      const own = all.find(({ coin }) => coin === asset.id)
      if (own === undefined || !asset.balance.readable) return asset
      return {
        ...asset,
        balance: { ...asset.balance, floorUnits: (own.fees.get(asset.id) ?? 0n) + own.minUnits },
      }
    }),
  }
}

/**
 * Two sweeps that empty the chain whose coin is sold too: its orders must leave each other their
 * fees.
 */
const emptying: fc.Arbitrary<PolicyRule[]> = fc.subarray(
  [
    { id: "coin", kind: "sweep", from: A, to: C, keepUnits: 0n },
    { id: "token", kind: "sweep", from: parseAssetId("a:eur"), to: C, keepUnits: 0n },
  ],
  { minLength: 1 },
)

const scopes = ["r0", "r1", "r2", "a:usd>b:usd", "b:usd>c:usd", "c:usd>a:usd"]

const recurring = (id: string): fc.Arbitrary<PolicyRule> =>
  fc.record({ pair: fc.constantFrom(...PAIRS), units: some(1, 3_000) }).map(({ pair, units }) => ({
    id,
    kind: "recurring",
    schedule: "* * * * *",
    timezone: "UTC",
    catchUp: "skip",
    ...pair,
    amount: { kind: "units", units },
  }))

/** The assets of life: units from a hundred of the currency down to 10^-15 of it. */
const UNITS: readonly AssetUnit[] = [
  { decimals: 0, priceFiat: FIAT },
  { decimals: 0, priceFiat: 7n * FIAT },
  { decimals: 0, priceFiat: 100n * FIAT },
  { decimals: 1, priceFiat: 3n * FIAT + 1n },
  { decimals: 2, priceFiat: FIAT },
  { decimals: 6, priceFiat: 999_983n },
  { decimals: 8, priceFiat: 100_000n * FIAT },
  { decimals: 18, priceFiat: 3_000n * FIAT + 7n },
]
type AssetUnit = { readonly decimals: number; readonly priceFiat: bigint }

/**
 * The drawn worlds count in whole units of the currency: restates all amounts in units of their
 * assets.
 */
function restate(world: World, units: readonly AssetUnit[]): World {
  const unitOf = (id: AssetId): AssetUnit =>
    units[IDS.indexOf(id)] ?? { decimals: 0, priceFiat: FIAT }
  const inUnits = (id: AssetId, amount: bigint): bigint => {
    const { decimals, priceFiat } = unitOf(id)
    return (amount * FIAT * 10n ** BigInt(decimals)) / priceFiat
  }
  const limit = <T extends Limits["maxOrder"]>(sold: T): T => {
    if (sold === null || sold.kind === "fiat") return sold
    // CAST: the ids of the record are those of the drawn assets.
    const entries = Object.entries(sold.byAsset) as [AssetId, bigint][]
    return {
      ...sold,
      byAsset: Object.fromEntries(entries.map(([id, most]) => [id, inUnits(id, most)])),
    }
  }
  const { view, limits } = world
  return {
    ...world,
    rules: world.rules.map((rule) => restateRule(rule, inUnits)),
    limits: {
      ...limits,
      maxOrder: limit(limits.maxOrder),
      windows: limits.windows.map((window) => ({ ...window, max: limit(window.max) })),
    },
    gas: world.gas.map((gas) => {
      const of = (amount: bigint): bigint =>
        gas.coin === null ? amount : inUnits(gas.coin, amount)
      const fees = new Map([...gas.fees].map(([id, amount]) => [id, of(amount)]))
      return { ...gas, fees, minUnits: of(gas.minUnits) }
    }),
    view: {
      ...view,
      assets: view.assets.map((asset) => ({
        ...asset,
        ...unitOf(asset.id),
        balance: asset.balance.readable
          ? { ...asset.balance, spendableUnits: inUnits(asset.id, asset.balance.spendableUnits) }
          : asset.balance,
      })),
      pairs: view.pairs.map((pair) => {
        const { quote, from } = pair
        if (!quote.readable) return pair
        const maxUnits = quote.maxUnits === null ? null : inUnits(from, quote.maxUnits)
        return { ...pair, quote: { ...quote, minUnits: inUnits(from, quote.minUnits), maxUnits } }
      }),
    },
  }
}

function restateRule(
  rule: PolicyRule,
  inUnits: (id: AssetId, amount: bigint) => bigint,
): PolicyRule {
  if (rule.kind === "sweep") return { ...rule, keepUnits: inUnits(rule.from, rule.keepUnits ?? 0n) }
  if (rule.kind === "recurring") {
    const { amount } = rule
    if (amount.kind !== "units") return rule
    return { ...rule, amount: { ...amount, units: inUnits(rule.from, amount.units) } }
  }
  if (rule.kind !== "band") return rule
  const of = (amount: bigint): bigint => inUnits(rule.asset, amount)
  return {
    ...rule,
    minUnits: of(rule.minUnits),
    targetUnits: of(rule.targetUnits),
    maxUnits: of(rule.maxUnits),
    ...(rule.leastUnits === undefined || rule.leastUnits === null
      ? {}
      : { leastUnits: of(rule.leastUnits) }),
  }
}

/** Half of the worlds count in whole units of the currency, where each limit is met exactly. */
const units = fc.oneof(
  fc.constant(IDS.map((): AssetUnit => ({ decimals: 0, priceFiat: FIAT }))),
  fc.tuple(...IDS.map(() => fc.constantFrom(...UNITS))),
)

const worlds: fc.Arbitrary<World> = fc
  .tuple(drawnWorlds(), units)
  .map(([world, own]) => restate(world, own))
  .map((world) => ({ ...world, view: withFloors(world.view, world.gas) }))

function drawnWorlds(): fc.Arbitrary<World> {
  return fc.record({
    view: riskyViews,
    rules: fc.oneof(
      { weight: 4, arbitrary: variedRules },
      {
        weight: 2,
        arbitrary: fc
          .tuple(variedRules, recurring("s0"), recurring("s1"))
          .map(([others, ...own]) => [...others, ...own]),
      },
      fc.tuple(emptying, variedRules).map(([sweeps, others]) => [...sweeps, ...others].slice(0, 6)),
    ),
    limits,
    used: fc.record({
      inFlight: fc.nat(3),
      service: fc.nat(3),
      count: fc.nat(3),
      fiat: some(0, 2_000).map((usd) => usd * FIAT),
    }),
    failed: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(scopes)),
    paused: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.subarray(["rule r0", "rule r1", "chain b", "chain c"]),
    ),
    gas,
    secretLimit: fc.option(
      some(20, 3_000).map((usd) => ({ kind: "fiat" as const, fiat: usd * FIAT })),
      { freq: 2 },
    ),
  })
}
