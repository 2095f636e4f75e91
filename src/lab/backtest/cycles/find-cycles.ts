import type { AssetId } from "#domain/asset.ts"
import { isCirculationDear, measureCirculation } from "#policy/circulation.ts"
import { findChurn, type Trade } from "#policy/find-churn.ts"
import { everyMsOf, ruleKindOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { ASSUMED_PRICES, guessPrice } from "../assumptions.ts"
import { listDue } from "../list-due.ts"
import { OURS } from "../ours.ts"
import { runSeed } from "../run-seed.ts"
import type { Subject } from "../subject.ts"
import type { RunWatch } from "../watch-run.ts"
import {
  deriveScenario,
  type ScenarioChoices,
  type ScenarioTraits,
} from "../world/derive-scenario.ts"
import { valueOfWallets } from "../world/treasury.ts"
import { listCycleGroups } from "./list-cycle-groups.ts"

/**
 * A circle that these rules sell round, its cost in fiat millionths a day, and whether
 * `alarm.churn` would stop it.
 */
type RuleCycle = {
  readonly assets: readonly AssetId[]
  readonly rules: readonly string[]
  readonly dailyFiat: bigint
  readonly isAlarmed: boolean
}

/** At noon, because a rule that is evaluated once a day must not meet quiet hours each time. */
const START_MS = Date.UTC(2026, 0, 1, 12)
/** The times that a circle must be completed in a run. */
const TIMES = 3
const DAY_MS = 86_400_000
const FIAT = 1_000_000n
/**
 * The evaluations of a rule in one run, at most: a rule with a shorter interval is evaluated less
 * often in a long run.
 */
const MOST_TICKS = 200
/** A slow rule is evaluated this often at least. Each round needs two evaluations. */
const LEAST_TICKS = 8
/**
 * The lengths of a run in days, from ten minutes on, and the most occurrences in it. A rule on a
 * schedule needs four of its own for three rounds.
 */
const LENGTHS = [1 / 144, 1 / 24, 1 / 4, 1, 5, 32, 130] as const
const LEAST_OCCURRENCES = 4
const MOST_OCCURRENCES = 3_000

/**
 * Backtests the rules from both extremes: each asset once empty and once far too full. Prices stand
 * still, every order succeeds, and no payments come from outside, so sound rules come to rest.
 * Windows are left out: they slow a circle and end none.
 * Rules that sell the same money round are named with their circle.
 *
 * The standing rules run alone first, at their own intervals, and then together with the rules on a
 * schedule.
 */
export function findCycles(subject: Subject, traits: readonly ScenarioTraits[]): RuleCycle[] {
  const { settings } = subject
  const cycles = new Map<string, RuleCycle>()
  const limits = { ...settings.limits, windows: [] }
  for (const rules of listCycleGroups(settings.rules, settings.limits.maxOrder)) {
    for (const cycle of runGroup(
      { ...subject, settings: { ...settings, limits, rules, onAlarm: "continue" } },
      traits,
    )) {
      const key = cycle.rules.join(" ")
      if (!cycles.has(key)) cycles.set(key, cycle)
    }
  }
  return [...cycles.values()]
}

function runGroup(subject: Subject, traits: readonly ScenarioTraits[]): RuleCycle[] {
  const days = daysFor(subject, traits)
  const slowed = slow(subject, days)
  const watched = new Set(slowed.settings.rules.flatMap(assetsOf))
  return [...watched].flatMap((chosen) =>
    [0n, 3n].flatMap((times) => runFrom(slowed, traits, days, { chosen, times }) ?? []),
  )
}

/** The assets whose balance the rule reads, sells or buys. */
function assetsOf(rule: TimedRule): readonly AssetId[] {
  const kind = ruleKindOf(rule)
  if (kind.wake === "every") return kind.watchedAssets(rule)
  const { from, to } = kind.pairOf(rule)
  return [from, to]
}

function daysFor(subject: Subject, traits: readonly ScenarioTraits[]): number {
  const { rules } = subject.settings
  const slowest = Math.max(0, ...rules.map((rule) => everyMsOf(rule) ?? 0))
  const standing = Math.min(60, (LEAST_TICKS * slowest) / DAY_MS)
  const scheduled = rules.filter((rule) => scheduleOf(rule) !== null).map(({ id }) => id)
  if (scheduled.length === 0) return Math.max(1, Math.ceil(standing))
  let days: number = LENGTHS[0]
  for (const length of LENGTHS) {
    const scenario = deriveScenario([subject], traits, length, choicesFor(subject, traits, null))
    const { occurrences } = listDue(subject, scenario)
    if (occurrences.length > MOST_OCCURRENCES) break
    days = length
    const counts = scheduled.map((id) => occurrences.filter(({ rule }) => rule === id).length)
    if (counts.every((count) => count >= LEAST_OCCURRENCES)) break
  }
  return Math.max(standing, days)
}

function slow(subject: Subject, days: number): Subject {
  const leastMs = Math.ceil((days * DAY_MS) / MOST_TICKS)
  const rules = subject.settings.rules.map((rule) => {
    const everyMs = everyMsOf(rule)
    return everyMs === null || everyMs >= leastMs ? rule : { ...rule, everyMs: leastMs }
  })
  return { ...subject, settings: { ...subject.settings, rules } }
}

type Extreme = { readonly chosen: AssetId; readonly times: bigint }

function runFrom(
  subject: Subject,
  traits: readonly ScenarioTraits[],
  days: number,
  extreme: Extreme,
): RuleCycle | null {
  const scenario = deriveScenario([subject], traits, days, choicesFor(subject, traits, extreme))
  const trades: (Trade & { readonly atMs: number })[] = []
  let isAlarmed = false
  let treasuryFiat = 0n
  runSeed(subject, scenario, listDue(subject, scenario), 1, {
    ...SILENT,
    alarmed: ({ code }) => {
      isAlarmed ||= code === "alarm.churn"
    },
    observed: (treasury) => {
      treasuryFiat = valueOfWallets(treasury)
    },
    opened: ({ data: { rule, secondRule = null, request }, budget }, atMs) => {
      if (request.destinationOwner !== OURS) return
      trades.push({
        rule,
        secondRule,
        from: request.from,
        to: request.to,
        sourceFiat: budget.sourceFiat,
        feeFiat: budget.feeFiat,
        atMs,
      })
    },
  })
  const circulation = measureCirculation(trades)
  const churn =
    findChurn(trades, TIMES) ?? (isCirculationDear(circulation, treasuryFiat) ? circulation : null)
  const first = trades.find(({ rule }) => churn?.rules.includes(rule))
  if (churn === null || first === undefined) return null
  const spanMs = BigInt(Math.round(scenario.startMs + days * DAY_MS - first.atMs))
  return {
    assets: churn.assets,
    rules: churn.rules,
    isAlarmed,
    dailyFiat: spanMs === 0n ? churn.feesFiat : (churn.feesFiat * BigInt(DAY_MS)) / spanMs,
  }
}

/**
 * Nothing changes by itself, and every order succeeds. An asset without an assumed price counts as
 * one unit of the currency.
 */
function choicesFor(
  { assets, settings: { rules } }: Subject,
  traits: readonly ScenarioTraits[],
  extreme: Extreme | null,
): ScenarioChoices {
  const still = { driftUnits: 0n, volatilityUnits: 0n }
  const names = [
    ...Object.keys(ASSUMED_PRICES),
    ...traits.map(({ nativeCoin }) => nativeCoin.symbol.toLowerCase()),
    OTHER,
  ]
  return {
    startMs: START_MS,
    assets: new Map(
      assets.map(({ id, decimals }) => {
        const price = guessPrice(id) ?? OTHER
        const usual = usualUnits(
          id,
          { decimals, priceFiat: ASSUMED_PRICES[price]?.startFiat ?? FIAT },
          rules,
        )
        return [
          id,
          { ...still, price, startUnits: id === extreme?.chosen ? usual * extreme.times : usual },
        ]
      }),
    ),
    prices: new Map(
      names.map((name) => [
        name,
        { startFiat: ASSUMED_PRICES[name]?.startFiat ?? FIAT, volatilityPpm: 0n },
      ]),
    ),
    pair: {},
    pairs: new Map(),
    chains: new Map(),
    flows: [],
    quotes: [],
    orders: { declinedPpm: 0n, refundedPpm: 0n },
  }
}

const OTHER = "other"

/** The largest target of the rules that keep a balance, or ten thousand in the currency. */
function usualUnits(
  id: AssetId,
  { decimals, priceFiat }: { readonly decimals: number; readonly priceFiat: bigint },
  rules: readonly TimedRule[],
): bigint {
  const targets = rules
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .filter(({ asset }) => asset === id)
    .map(({ targetUnits }) => targetUnits)
  if (targets.length > 0) return targets.reduce((most, units) => (units > most ? units : most), 1n)
  return (10_000n * FIAT * 10n ** BigInt(decimals)) / priceFiat
}

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
