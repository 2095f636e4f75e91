import { expect, test } from "vitest"
import { listDue } from "#backtest/list-due.ts"
import { runSeed } from "#backtest/run-seed.ts"
import type { Subject } from "#backtest/subject.ts"
import type { RunWatch } from "#backtest/watch-run.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { createRandom, type Random } from "#backtest/world/random.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import { familyNamed } from "#chains/families.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineSettings } from "#engine/context.ts"
import {
  type DecisionBody,
  type ProposalResult,
  readDecisionBody,
  reasonsIn,
  toDecision,
} from "#engine/rules/tick/decision.ts"
import type { PauseScope } from "#engine/watches/pause.ts"
import type { QuietHours } from "#guards/quiet-hours.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { RuleAmount } from "#policy/rules/recurring/recurring-rule.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  ARB,
  ASSETS,
  BTC,
  createWorld,
  defaultSettings,
  ETH,
  POLICY,
  WBTC,
  type World,
} from "../../support/fake-world.ts"

/**
 * The engine and the backtest decide by the same code, over ports of their own. Here both see one
 * world, with random rules, limits and quotes, and store the same decisions: that checks the ports.
 */
const PARTS = 4
const WORLDS = 15
const EVERY_MS = 180_000
const TICKS = 8
/** The time between a flow and the next tick. */
const FLOW_MS = 20_000
const FEE = 10n
/** The price of a whole unit of every asset. */
const UNIT_FIAT = 100_000_000n * 1_000_000n
const START_UNITS = 1_000_000n
const START_MS = Date.UTC(2026, 2, 2, 8)

let world: World | null = null

test.each(Array.from({ length: PARTS }, (_, part) => part * WORLDS))(
  "the backtest stores the same decisions as the engine, in random worlds from %i on",
  async (first) => {
    const refused = new Set<string>()
    const ofAdmission = new Set<string>()
    let decisions = 0
    let orders = 0
    for (let seed = first + 1; seed <= first + WORLDS; seed += 1) {
      const drawn = drawCase(seed)
      const real = await runEngine(drawn)
      expect({ seed, decisions: runBacktest(drawn) }).toEqual({ seed, decisions: real })
      decisions += real.length
      orders += real.filter(({ body }) =>
        body.outcomes.some((one) => one !== null && "order" in one),
      ).length
      for (const { code } of real.flatMap(({ body }) => reasonsIn(body))) refused.add(code)
      for (const { code } of real.flatMap(({ body }) => listRefusals(body))) ofAdmission.add(code)
    }
    // The comparison means something only with orders and refusals.
    expect([...refused]).toContain("paused")
    // A plan knows nearly all refusals; the bounds of a pair it learns from one.
    if (first === 0) expect([...ofAdmission]).toEqual(["service.amount_bounds"])
    expect(decisions).toBeGreaterThan(9 * WORLDS)
    expect(orders).toBeGreaterThan(WORLDS)
  },
)

/** With which admission refused an order of the plan. */
function listRefusals({ outcomes }: DecisionBody): readonly Reason[] {
  return outcomes.flatMap((one) => (one !== null && "refused" in one ? one.refused : []))
}

type Case = {
  readonly rules: readonly TimedRule[]
  readonly limits: EngineSettings["limits"]
  readonly maxCost: { readonly kind: "share"; readonly bps: bigint }
  /** Of which the services choose all, so that its guard bounds orders of some pairs. */
  readonly ownSecrets: NonNullable<EngineSettings["ownSecrets"]>
  /**
   * What enters the wallet of the asset before each tick, or leaves it; the daemon has no books in
   * this test.
   */
  readonly flows: ReadonlyMap<AssetId, bigint>
  /** By `from>to`; a unit of every asset is worth one fiat unit. */
  readonly costs: ReadonlyMap<string, PairTerms>
  readonly faults: readonly Fault[]
}

/** Of the kinds that a backtest knows; from one tick on and before another one. */
type Fault = (
  | { readonly kind: "pause"; readonly scope: string }
  | { readonly kind: "pair"; readonly from: AssetId; readonly to: AssetId }
) & { readonly first: number; readonly end: number }

/** The bounds are those of one order, in units; `null` for none. */
type PairTerms = {
  readonly fixedUnits: bigint
  readonly bps: bigint
  readonly least: bigint | null
  readonly most: bigint | null
}

/** A stored decision, without the number of its orders and the words of refusals from outside. */
type Stored = { readonly rule: string; readonly body: DecisionBody }

const IDS = [BTC, WBTC, ETH, ARB]

function drawCase(seed: number): Case {
  const random = createRandom(seed, "same")
  const between = (least: number, most: number): number =>
    least + Math.floor(random.next() * (most - least + 1))
  const rules: TimedRule[] = shuffle(random, IDS)
    .slice(0, between(1, 3))
    .map((asset) => drawBand(random, asset, between))
  if (random.next() < 0.4) {
    const [from, to] = random.next() < 0.5 ? [ARB, BTC] : [ETH, ARB]
    rules.push({
      id: "sweep",
      kind: "sweep",
      from,
      keepUnits: BigInt(between(300, 1_200)) * 1_000n,
      to,
      everyMs: EVERY_MS,
    })
  }
  if (random.next() < 0.3) {
    const weights = [
      { asset: BTC, bps: BigInt(between(20, 80)) * 100n },
      { asset: ARB, bps: 0n },
    ]
    const rest = 10_000n - (weights[0]?.bps ?? 0n)
    const shares = [weights[0], { asset: ARB, bps: rest }].filter((one) => one !== undefined)
    rules.push({
      id: "mix",
      kind: "weights",
      weights: shares,
      toleranceBps: 500n,
      everyMs: EVERY_MS,
    })
  }
  if (random.next() < 0.4) rules.push(drawRecurring(random, between))
  rules.push(...drawGas(createRandom(seed, "gas")))
  const fiat = (thousands: number): { kind: "fiat"; fiat: bigint } => ({
    kind: "fiat",
    fiat: BigInt(thousands) * 1_000_000_000n,
  })
  const window = {
    perMs: 86_400_000,
    max: fiat(between(100, 1_500)),
    maxFeesFiat: null,
    maxCount: between(2, 9),
  }
  const pairs = IDS.flatMap((from) =>
    IDS.map((to): [string, PairTerms] => {
      const fees = { fixedUnits: BigInt(between(0, 200)), bps: BigInt(between(2, 70)) }
      return [`${from}>${to}`, { ...fees, ...drawBounds(random, between) }]
    }),
  )
  return {
    rules,
    limits: {
      maxOrder: random.next() < 0.6 ? fiat(between(20, 400)) : null,
      maxInFlight: between(1, 8),
      maxInFlightPerPair: random.next() < 0.3 ? between(1, 3) : null,
      windows: random.next() < 0.5 ? [window] : [],
      quietHours: random.next() < 0.25 ? [drawQuietHours(between)] : [],
    },
    maxCost: { kind: "share", bps: BigInt(between(30, 100)) },
    ownSecrets: {
      keeper: null,
      modeOf: () => "service",
      maxServiceSecret:
        seed > WORLDS ? null : fiat(5 * Math.ceil(10 * createRandom(seed, "secret").next())),
    },
    flows: new Map([ETH, ARB].map((asset) => [asset, BigInt(between(-60, 60)) * 1_000n])),
    costs: new Map(pairs),
    faults: drawFaults(random, between, rules),
  }
}

/** An operator pauses everything, a chain or a rule, and the service closes pairs. */
function drawFaults(
  random: Random,
  between: (least: number, most: number) => number,
  rules: readonly TimedRule[],
): readonly Fault[] {
  const drawTime = (): Pick<Fault, "first" | "end"> => {
    const first = between(1, TICKS - 1)
    return { first, end: first + between(1, 3) }
  }
  const scopes = ["all", ...IDS.map(chainOf), ...rules.map(({ id }) => id)]
  const [from = ETH, to = BTC] = shuffle(random, IDS)
  return [
    ...shuffle(random, scopes)
      .slice(0, between(0, 2))
      .map((scope) => ({ kind: "pause" as const, scope, ...drawTime() })),
    ...(random.next() < 0.5 ? [{ kind: "pair" as const, from, to, ...drawTime() }] : []),
  ]
}

/** A third of the pairs have bounds. */
function drawBounds(
  random: Random,
  between: (least: number, most: number) => number,
): Pick<PairTerms, "least" | "most"> {
  if (random.next() > 1 / 3) return { least: null, most: null }
  return { least: BigInt(between(1, 60)) * 1_000n, most: BigInt(between(60, 400)) * 1_000n }
}

/**
 * Fires once or twice within the ticks, in the middle of a minute without a tick of the other
 * rules.
 */
function drawRecurring(
  random: Random,
  between: (least: number, most: number) => number,
): TimedRule {
  const [from = ETH, to = BTC] = shuffle(random, [BTC, ETH, ARB])
  const amount: RuleAmount =
    random.next() < 0.5
      ? { kind: "units", units: BigInt(between(20, 900)) * 1_000n }
      : { kind: "share", bps: BigInt(between(100, 9_000)) }
  const schedule = random.next() < 0.5 ? "1 8 * * *" : "1,4 8 * * *"
  return {
    id: "dca",
    kind: "recurring",
    from,
    to,
    amount,
    schedule,
    timezone: "UTC",
    catchUp: "once",
  }
}

/** A stock of several parts of the wallet, in a third of the worlds. */
function drawGas(random: Random): TimedRule[] {
  if (random.next() > 1 / 3) return []
  const orders = BigInt(Math.floor(10_000 + random.next() * 40_000))
  const of = { asset: ETH, sources: [BTC, ARB], days: 14n, orders }
  return [{ id: "stock", kind: "gas", ...of, everyMs: EVERY_MS }]
}

/** Quiet for some minutes of the first ten, in which all ticks are. */
function drawQuietHours(between: (least: number, most: number) => number): QuietHours {
  const fromMinute = 8 * 60 - 2 + between(0, 6)
  return {
    fromMinute,
    toMinute: fromMinute + between(1, 6),
    timezone: "UTC",
    days: [0, 1, 2, 3, 4, 5, 6],
  }
}

/** A token is never sold: its approval costs a fee that the backtest does not know. */
function drawBand(
  random: Random,
  asset: AssetId,
  between: (least: number, most: number) => number,
): TimedRule {
  const others = shuffle(
    random,
    IDS.filter((id) => chainOf(id) !== chainOf(asset)),
  )
  const minUnits = BigInt(between(200, 1_500)) * 1_000n
  const targetUnits = minUnits + BigInt(between(10, 300)) * 1_000n
  return {
    id: `band-${IDS.indexOf(asset)}`,
    kind: "band",
    asset,
    minUnits,
    targetUnits,
    maxUnits: targetUnits + BigInt(between(10, 300)) * 1_000n,
    sources: others.filter((id) => id !== WBTC),
    sinks: asset === WBTC ? [] : others,
    move: random.next() < 0.5 ? "target" : "edge",
    everyMs: EVERY_MS,
  }
}

function shuffle<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function runEngine({
  rules,
  limits,
  maxCost,
  ownSecrets,
  flows,
  costs,
  faults,
}: Case): Promise<Stored[]> {
  world = createWorld()
  const { service, services, clock } = world
  const startMs = clock.now()
  let reached = 0
  const isNow = ({ first, end }: Fault): boolean => first <= reached && reached < end
  services.set("main", {
    ...service,
    port: {
      ...service.port,
      fetchQuotes: async ({ from, to, sourceUnits }): Promise<Quote[]> => {
        if (faults.some((one) => isNow(one) && "to" in one && one.from === from && one.to === to)) {
          const message = `The service has no offer from ${from} to ${to}`
          throw new AppError({ code: "service.no_pair", disposition: "refused", message })
        }
        const { fixedUnits, bps, least, most } = mustExist(
          costs.get(`${from}>${to}`),
          `the terms of ${from}>${to}`,
        )
        if ((least !== null && sourceUnits < least) || (most !== null && sourceUnits > most)) {
          const range = `${least ?? 0n} to ${most ?? 0n}`
          const message = `expected amount to be within the range of ${range}`
          throw new AppError({ code: "service.amount_bounds", disposition: "refused", message })
        }
        const net = (sourceUnits * (10_000n - bps)) / 10_000n - fixedUnits
        const destinationUnits = net > 0n ? net : 0n
        const values = {
          sourceFiat: sourceUnits * 1_000_000n,
          destinationFiat: destinationUnits * 1_000_000n,
        }
        return [
          {
            from,
            to,
            sourceUnits,
            destinationUnits,
            ...values,
            solverId: "solver",
            estimatedSeconds: 20,
          },
        ]
      },
    },
  })
  const daemon = world.start({
    settings: { rules, limits, ownSecrets },
    policy: { maxCost },
    prices: { fetchPrice: async () => ({ fiat: UNIT_FIAT, sources: 1 }) },
  })
  const wallets = new Map([
    [ETH, world.evm],
    [ARB, world.arbitrum],
  ])
  for (let tick = 1; tick < TICKS; tick += 1) {
    await world.pass(startMs + tick * EVERY_MS - FLOW_MS - clock.now())
    reached = tick
    for (const one of faults) {
      if (one.kind !== "pause") continue
      if (one.first === tick) void daemon.engine.pause(scopeOf(one.scope))
      if (one.end === tick) daemon.engine.resume(scopeOf(one.scope))
    }
    for (const [asset, units] of flows) {
      const { balances } = mustExist(wallets.get(asset), `the wallet of ${asset}`).state()
      const left = (balances.get(asset) ?? 0n) + units
      balances.set(asset, left > 0n ? left : 0n)
    }
    // The daemon's own samples, for the value of the treasury: with a part of it, the fees of a
    // circle would look dear, and the daemon would pause its rules.
    const { journal } = daemon.context
    const held = [...wallets, [BTC, world.bitcoin] as const, [WBTC, world.evm] as const]
    for (const [asset, wallet] of held) {
      const atMs = clock.now()
      journal.addSample({ series: `price/${asset}`, atMs, value: UNIT_FIAT })
      const value = wallet.state().balances.get(asset) ?? 0n
      journal.addSample({ series: `balance/${asset}`, atMs, value })
    }
  }
  await world.pass(startMs + TICKS * EVERY_MS - 20_000 - clock.now())
  // The journal stores a decision that repeats the last one of its rule once, with a count.
  const rows = daemon.context.journal.listDecisions({ rule: null, limit: 999 })
  const found = rows.toReversed().flatMap(({ id, rule, body, times }) => {
    return Array.from({ length: times }, () => ({ id, ...toStored(rule, body) }))
  })
  world.close()
  return byRule(found)
}

function scopeOf(scope: string): PauseScope {
  if (scope === "all") return { kind: "all" }
  const chain = IDS.map(chainOf).find((id) => id === scope)
  return chain === undefined ? { kind: "rule", rule: scope } : { kind: "chain", chain }
}

function runBacktest(drawn: Case): Stored[] {
  const subject: Subject = {
    name: "same",
    assets: ASSETS,
    maxCost: drawn.maxCost,
    priced: new Set(IDS),
    settings: {
      rules: drawn.rules,
      limits: drawn.limits,
      ownSecrets: drawn.ownSecrets,
      cooldownMs: null,
      minNative: new Map(),
      policyFor: () => ({ ...POLICY, maxCost: drawn.maxCost }),
      priceToleranceBps: defaultSettings().priceToleranceBps,
    },
  }
  const scenario = toScenario(subject, drawn)
  const stored: Named[] = []
  const watch: RunWatch = {
    ...SILENT,
    decided: ({ entry, round: { answer, results, number } }, nowMs) => {
      const { evaluation, inputs } = answer
      const resultOf = (proposal: Proposal): ProposalResult => results.get(proposal) ?? null
      const times = { nowMs, round: number, configHash: null }
      const { id, body } = toDecision(entry, {
        evaluation,
        resultOf,
        inputs: "",
        view: inputs.view,
        ...times,
      })
      stored.push({ id, ...toStored(entry.rule, body) })
    },
  }
  runSeed(subject, scenario, listDue(subject, scenario), 1, watch)
  return byRule(stored)
}

function toStored(rule: string, text: string): Stored {
  const body = mustExist(readDecisionBody(text), "a decision of this version")
  const outcomes = body.outcomes.map((one): ProposalResult => {
    if (one === null) return null
    return "order" in one ? { order: "an order" } : { refused: one.refused.map(withoutWords) }
  })
  return { rule, body: { ...body, outcomes } }
}

/** Each service has words of its own. */
function withoutWords(reason: Reason): Reason {
  return reason.code.startsWith("service.") ? { code: reason.code, message: "" } : reason
}

/** With the decision's id: its rule, time and round, or its occurrence. */
type Named = Stored & { readonly id: string }

/**
 * By rule, then in their order. The journal has a row for each occurrence, so those of two
 * occurrences that were tried in turn stand apart. An order brings its decision along, before that
 * of an earlier round with refusals alone is recorded.
 */
function byRule(all: readonly Named[]): Stored[] {
  const keyOf = ({ id, rule, body }: Named): string => `${rule} ${body.occurrence ?? ""} ${id}`
  return all
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
    .map(({ rule, body }) => ({ rule, body }))
}

function toScenario(subject: Subject, { flows, costs, faults }: Case): Scenario {
  const traits = [...new Set(ASSETS.map(({ chain }) => chain))].map((chain) => {
    const { traits: family } = familyNamed(chain.startsWith("bitcoin") ? "bitcoin" : "evm")
    const { refundFeeTakenFromAmount } = family
    const nativeCoin = { ...NATIVE, token: null }
    return {
      chain,
      nativeCoin,
      refundFeeTakenFromAmount,
      isSlow: false,
      fees: { depositFeeUnits: FEE, refundFeeUnits: FEE },
    }
  })
  const duration = { least: 60_000, typical: 60_000, most: 60_000 }
  const choices = {
    startMs: START_MS,
    assets: new Map(
      IDS.map((id) => [
        id,
        { startUnits: START_UNITS, driftUnits: 0n, volatilityUnits: 0n, price: "unit" },
      ]),
    ),
    prices: new Map([["unit", { startFiat: UNIT_FIAT, volatilityPpm: 0n }]]),
    pair: { leastFiat: null, duration },
    pairs: new Map([...costs].map(([key, terms]) => [key, modelOf(terms)])),
    chains: new Map(),
    orders: { declinedPpm: 0n, refundedPpm: 0n },
    flows: Array.from({ length: TICKS - 1 }, (_, index) =>
      [...flows].map(([asset, units]) => ({
        atMs: START_MS + (index + 1) * EVERY_MS - FLOW_MS,
        asset,
        units,
      })),
    ).flat(),
    quotes: [],
  }
  const days = (TICKS * EVERY_MS - 20_000) / 86_400_000
  const scenario = deriveScenario([subject], traits, days, choices)
  // The fake chains state their fees without a reserve.
  const timeOf = (tick: number): number => START_MS + tick * EVERY_MS - FLOW_MS
  return {
    ...scenario,
    faults: faults.map(({ first, end, ...kind }) => {
      return { ...kind, fromMs: timeOf(first), untilMs: timeOf(end) }
    }),
    chains: scenario.chains.map((chain) => ({ ...chain, worstFactor: 1n })),
  }
}

function modelOf({ fixedUnits, bps, least, most }: PairTerms) {
  const fiatOf = (units: bigint | null): bigint | null =>
    units === null ? null : units * 1_000_000n
  return {
    fixedFiat: fixedUnits * 1_000_000n,
    bps,
    leastFiat: fiatOf(least),
    mostFiat: fiatOf(most),
  }
}

const NATIVE = { symbol: "UNIT", decimals: 8 }

const SILENT: RunWatch = {
  declined: () => undefined,
  judged: () => undefined,
  opened: () => undefined,
  deposited: () => undefined,
  completed: () => undefined,
  refunded: () => undefined,
  rejected: () => undefined,
  paidNetwork: () => undefined,
  observed: () => undefined,
}
