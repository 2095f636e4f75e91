import type { AssetId } from "#domain/asset.ts"
import type { Subject } from "../subject.ts"
import type { Scenario } from "../world/scenario.ts"
import type { SeedResult, WindowResult } from "./measure.ts"
import { type Percentiles, percentilesOf } from "./percentiles.ts"

/**
 * The summary of all runs of one policy. Shares of time and limits in basis points; fees in
 * hundredths of a basis point of the volume.
 */
export type Summary = {
  readonly seeds: number
  readonly moves: Percentiles<number>
  readonly completed: Percentiles<number>
  readonly refunded: Percentiles<number>
  readonly volumeFiat: Percentiles<bigint>
  readonly swapFeesFiat: Percentiles<bigint>
  readonly networkFeesFiat: Percentiles<bigint>
  readonly feesFiat: Percentiles<bigint>
  readonly feesHundredthBps: Percentiles<bigint>
  readonly finalFiat: Percentiles<bigint>
  readonly inFlightPeak: Percentiles<number>
  readonly rules: readonly RuleSummary[]
  readonly windows: readonly WindowSummary[]
  readonly assets: readonly AssetSummary[]
  readonly coins: readonly { readonly coin: AssetId; readonly lowestUnits: Percentiles<bigint> }[]
  readonly refused: readonly RefusalSummary[]
  readonly declined: readonly RefusalSummary[]
  readonly rejected: readonly RefusalSummary[]
  readonly alarms: readonly AlarmSummary[]
  readonly bookEntries: number
}

type RuleSummary = {
  readonly rule: string
  readonly kind: string
  readonly outsideBps: Percentiles<number>
  readonly belowBps: Percentiles<number>
  readonly aboveBps: Percentiles<number>
}

type WindowSummary = {
  readonly perMs: number | null
  readonly used: readonly { readonly limit: string; readonly bps: Percentiles<bigint> }[]
}

type AssetSummary = {
  readonly asset: AssetId
  readonly lowestUnits: Percentiles<bigint>
  readonly finalUnits: Percentiles<bigint>
  readonly meanFiat: Percentiles<bigint>
  readonly unservedUnits: Percentiles<bigint>
  readonly unservedSeeds: number
}

/** `seeds`: the runs with this alarm of these rules. */
type AlarmSummary = {
  readonly code: string
  readonly message: string
  readonly rules: string
  readonly isPaused: boolean
  readonly seeds: number
}

/** Over all seeds together. */
export type RefusalSummary = {
  readonly rule: string
  readonly code: string
  /** The words of one of these refusals. */
  readonly message: string
  readonly times: number
  readonly episodes: number
  readonly seeds: number
}

export function summarise(
  runs: readonly SeedResult[],
  scenario: Scenario,
  { onAlarm }: Pick<Subject["settings"], "onAlarm">,
): Summary {
  const of = <T extends bigint | number>(read: (run: SeedResult) => T): Percentiles<T> =>
    percentilesOf(runs.map(read))
  return {
    seeds: runs.length,
    moves: of((run) => run.moves),
    completed: of((run) => run.completed),
    refunded: of((run) => run.refunded),
    volumeFiat: of((run) => run.volumeFiat),
    swapFeesFiat: of((run) => run.swapFeesFiat),
    networkFeesFiat: of((run) => run.networkFeesFiat),
    feesFiat: of(feesOf),
    feesHundredthBps: of(feesHundredthBps),
    finalFiat: of((run) => run.finalFiat),
    inFlightPeak: of((run) => run.inFlightPeak),
    rules: summariseRules(runs, scenario),
    windows: summariseWindows(runs),
    assets: summariseAssets(runs),
    coins: (runs[0]?.coins ?? []).map(({ coin }, index) => ({
      coin,
      lowestUnits: of((run) => run.coins[index]?.lowestUnits ?? 0n),
    })),
    refused: sumRefusals(runs, (run) => run.refused),
    declined: sumRefusals(runs, (run) => run.declined),
    rejected: sumRefusals(runs, (run) => run.rejected),
    alarms: sumAlarms(runs, onAlarm !== "continue"),
    bookEntries: runs.reduce((sum, run) => sum + run.bookEntries, 0),
  }
}

export function feesOf({ swapFeesFiat, networkFeesFiat }: SeedResult): bigint {
  return swapFeesFiat + networkFeesFiat
}

function feesHundredthBps(run: SeedResult): bigint {
  return run.volumeFiat === 0n ? 0n : (feesOf(run) * 1_000_000n) / run.volumeFiat
}

/** The time outside, in basis points of the whole time, averaged over all rules that measure it. */
export function outsideBps(run: SeedResult, scenario: Scenario): number {
  const ms = run.rules.reduce((sum, { outsideMs }) => sum + outsideMs, 0)
  return run.rules.length === 0 ? 0 : shareOfTime(ms / run.rules.length, scenario)
}

const DAY_MS = 86_400_000

function shareOfTime(ms: number, { days }: Scenario): number {
  return Math.round((ms * 1_000_000) / (days * DAY_MS)) / 100
}

function summariseRules(runs: readonly SeedResult[], scenario: Scenario): RuleSummary[] {
  const first = runs[0]?.rules ?? []
  return first.map(({ rule, kind }, index) => {
    const of = (read: (one: SeedResult["rules"][number]) => number): Percentiles<number> =>
      percentilesOf(
        runs.map(({ rules }) => shareOfTime(rules[index] ? read(rules[index]) : 0, scenario)),
      )
    return {
      rule,
      kind,
      outsideBps: of(({ outsideMs }) => outsideMs),
      belowBps: of(({ belowMs }) => belowMs),
      aboveBps: of(({ aboveMs }) => aboveMs),
    }
  })
}

const LIMITS = [
  ["fiat", "fiatBps"],
  ["units", "unitsBps"],
  ["fees", "feesBps"],
  ["count", "countBps"],
] as const

function summariseWindows(runs: readonly SeedResult[]): WindowSummary[] {
  return (runs[0]?.windows ?? []).map((window: WindowResult, index) => ({
    perMs: window.perMs,
    used: LIMITS.filter(([, key]) => window[key] !== null).map(([limit, key]) => ({
      limit,
      bps: percentilesOf(runs.map(({ windows }) => windows[index]?.[key] ?? 0n)),
    })),
  }))
}

function summariseAssets(runs: readonly SeedResult[]): AssetSummary[] {
  return (runs[0]?.assets ?? []).map(({ asset }, index) => {
    const of = (read: (one: SeedResult["assets"][number]) => bigint): Percentiles<bigint> =>
      percentilesOf(runs.map(({ assets }) => (assets[index] ? read(assets[index]) : 0n)))
    return {
      asset,
      lowestUnits: of(({ lowestUnits }) => lowestUnits),
      finalUnits: of(({ finalUnits }) => finalUnits),
      meanFiat: of(({ meanFiat }) => meanFiat),
      unservedUnits: of(({ unservedUnits }) => unservedUnits),
      unservedSeeds: runs.filter(({ assets }) => (assets[index]?.unservedTimes ?? 0) > 0).length,
    }
  })
}

function sumAlarms(runs: readonly SeedResult[], isPaused: boolean): AlarmSummary[] {
  const sums = new Map<string, AlarmSummary>()
  for (const { alarms } of runs) {
    const named = new Map(
      alarms.map(({ code, message, rules = "" }) => [`${code} ${rules}`, { code, message, rules }]),
    )
    for (const [key, alarm] of named)
      sums.set(key, { ...alarm, isPaused, seeds: (sums.get(key)?.seeds ?? 0) + 1 })
  }
  return [...sums.values()].sort((a, b) => b.seeds - a.seeds)
}

function sumRefusals(
  runs: readonly SeedResult[],
  of: (run: SeedResult) => SeedResult["refused"],
): RefusalSummary[] {
  const sums = new Map<string, RefusalSummary>()
  for (const { rule, code, message, times, episodes } of runs.flatMap(of)) {
    const key = `${rule} ${code}`
    const known = sums.get(key) ?? { rule, code, message, times: 0, episodes: 0, seeds: 0 }
    const grown = {
      times: known.times + times,
      episodes: known.episodes + episodes,
      seeds: known.seeds + 1,
    }
    sums.set(key, { ...known, ...grown })
  }
  return [...sums.values()].sort(
    (a, b) => b.episodes - a.episodes || (`${a.rule} ${a.code}` < `${b.rule} ${b.code}` ? -1 : 1),
  )
}
