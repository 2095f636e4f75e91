import { listDue } from "#backtest/list-due.ts"
import { runSeed } from "#backtest/run-seed.ts"
import type { SimulatedOrder } from "#backtest/simulated-journal.ts"
import type { RunWatch } from "#backtest/watch-run.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import type { Treasury } from "#backtest/world/treasury.ts"
import type { AssetId } from "#domain/asset.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import { dayOf } from "#policy/values/forecast-flow.ts"
import type { RandomTreasury } from "../random-treasury.ts"
import type { Foresight, ForesightPair } from "./foresight.ts"

/** The costs of a run in usd, and its world for an observer of the future. */
export type SeenRun = {
  readonly orders: number
  /** Of the orders of bands: fixed fees and network fees, and shares. */
  readonly fixed: number
  readonly shares: number
  /** Of the orders of other rules. */
  readonly others: number
  readonly outsideShare: number
  readonly isPaused: boolean
  readonly foresight: Foresight
}

/** Usd for each usd outside: more than any order costs. */
const PENALTY = 2

/**
 * Runs the treasury, and derives the least that its bands' orders could have cost: with the flows
 * that the wallets paid, day by day, with the prices of each day's end, without a pair that no rule
 * lists, as far outside as this run was on that day, and with the banded balances of its end.
 */
export function seeRun({ seed, subject, traits, choices }: RandomTreasury, days: number): SeenRun {
  const scenario = deriveScenario([subject], traits, days, choices)
  const log = createLog(scenario, subject.settings.rules)
  const run = runSeed(subject, scenario, listDue(subject, scenario), seed, log.watch)
  const spanMs = days * DAY_MS
  const shares = run.rules.map(({ outsideMs }) => outsideMs / spanMs)
  return {
    ...log.sums,
    outsideShare: shares.reduce((a, b) => a + b, 0) / Math.max(1, shares.length),
    isPaused: [...run.declined, ...run.refused].some(({ code }) => code === "paused"),
    foresight: log.foresee(),
  }
}

const DAY_MS = 86_400_000

type Rules = RandomTreasury["subject"]["settings"]["rules"]
/** Units by asset. */
type Units = Map<AssetId, bigint>
type Day = { least: Units; most: Units; end: Units; prices: Units; moved: Units }

function createLog(scenario: Scenario, rules: Rules) {
  const ids = scenario.assets.map(({ id }) => id)
  const bands = rules.flatMap((rule): BandRule[] => (rule.kind === "band" ? [rule] : []))
  const isOfBands = ({ data }: SimulatedOrder): boolean =>
    [data.rule, data.secondRule].every(
      (rule) => rule === undefined || bands.some(({ id }) => id === rule),
    )
  const sums = { orders: 0, fixed: 0, shares: 0, others: 0 }
  const days: Day[] = []
  const open = new Map<string, SimulatedOrder>()
  const firstDay = dayOf(scenario.startMs)
  let world: Treasury | null = null
  let last: SimulatedOrder | null = null

  function dayAt(nowMs: number): Day {
    const at = dayOf(nowMs) - firstDay
    const maps = () => new Map<AssetId, bigint>()
    while (days.length <= at)
      days.push({ least: maps(), most: maps(), end: maps(), prices: maps(), moved: maps() })
    const day = days[at]
    if (day === undefined) throw new Error("a day without a record")
    return day
  }
  const move = (id: AssetId, units: bigint, nowMs: number): void => {
    const { moved } = dayAt(nowMs)
    moved.set(id, (moved.get(id) ?? 0n) + units)
  }
  const usdOf = (id: AssetId, units: bigint): number => {
    const asset = scenario.assets.find((one) => one.id === id)
    return (
      (Number(units) / 10 ** (asset?.decimals ?? 0)) * (Number(world?.priceFiat(id) ?? 0n) / 1e6)
    )
  }
  const watch: RunWatch = {
    declined: () => undefined,
    judged: () => undefined,
    opened: () => undefined,
    deposited: (order, nowMs) => {
      open.set(order.data.id, order)
      last = order
      const { from, sourceUnits } = order.data.request
      if (!isOfBands(order)) move(from, -sourceUnits, nowMs)
    },
    completed: (order, nowMs) => {
      open.delete(order.data.id)
      const { quote } = order.data
      if (quote === null) return
      const fee = Number(quoteFeeFiat(quote) ?? 0n) / 1e6
      const pair = scenario.pairFor(quote.from, quote.to)
      const fixed = Number(pair.fixedFiat) / 1e6
      sums.orders += 1
      if (isOfBands(order)) {
        sums.fixed += fixed
        sums.shares += fee - fixed
      } else {
        sums.others += fee
        move(quote.to, quote.destinationUnits, nowMs)
      }
    },
    refunded: (order, nowMs) => {
      open.delete(order.data.id)
      const { from, sourceUnits } = order.data.request
      if (!isOfBands(order)) move(from, sourceUnits, nowMs)
    },
    rejected: () => undefined,
    paidNetwork: (coin, units, nowMs) => {
      move(coin, -units, nowMs)
      if (last !== null && !isOfBands(last)) sums.others += usdOf(coin, units)
      else sums.fixed += usdOf(coin, units)
    },
    observed: (treasury, nowMs) => {
      world = treasury
      const day = dayAt(nowMs)
      for (const id of ids) {
        const units = treasury.units(id)
        day.least.set(id, min(day.least.get(id) ?? units, units))
        day.most.set(id, max(day.most.get(id) ?? units, units))
        day.end.set(id, units)
        day.prices.set(id, treasury.priceFiat(id))
      }
    },
  }
  return { watch, sums, foresee: () => foresee(scenario, bands, { days, open, world, firstDay }) }
}

type Record = {
  readonly days: readonly Day[]
  readonly open: ReadonlyMap<string, SimulatedOrder>
  readonly world: Treasury | null
  readonly firstDay: number
}

function foresee(
  scenario: Scenario,
  bands: readonly BandRule[],
  { days, open, world, firstDay }: Record,
): Foresight {
  const { assets } = scenario
  const usdPer = assets.map(
    ({ decimals, price }) =>
      Number(scenario.prices.find(({ name }) => name === price)?.startFiat ?? 0n) /
      1e6 /
      10 ** decimals,
  )
  const usd = (a: number, units: bigint): number => Number(units) * (usdPer[a] ?? 0)
  const priceOf = (day: Day | undefined, a: number): number => {
    const asset = assets[a]
    const start = Number(scenario.prices.find(({ name }) => name === asset?.price)?.startFiat ?? 1n)
    return asset === undefined ? 1 : Number(day?.prices.get(asset.id) ?? 0n) / start
  }
  const pairs = pairsOf(scenario, bands)
  const ends = assets.map(({ id }) => {
    const wallet = days.at(-1)?.end.get(id) ?? 0n
    const coming = [...open.values()].reduce(
      (sum, { data }) => sum + (data.request.to === id ? (data.quote?.destinationUnits ?? 0n) : 0n),
      0n,
    )
    return wallet + coming
  })
  return {
    start: assets.map(({ startUnits }, a) => usd(a, startUnits)),
    goals: assets.map(() => null),
    share: 0,
    pairs,
    penalty: PENALTY,
    periods: days.map((day, index) => {
      const isLast = index === days.length - 1
      const bandOf = (id: AssetId) => bands.find(({ asset }) => asset === id)
      return {
        flows: assets.map(({ id }, a) => {
          const flowed = world?.flows(id).find((one) => one.day === firstDay + index)?.units ?? 0n
          return usd(a, flowed + (day.moved.get(id) ?? 0n))
        }),
        prices: assets.map((_, a) => priceOf(day, a)),
        least: assets.map(({ id }, a) => {
          const band = bandOf(id)
          if (band === undefined) return 0
          const least = min(band.minUnits, day.least.get(id) ?? band.minUnits)
          return usd(a, isLast ? (ends[a] ?? least) : least)
        }),
        most: assets.map(({ id }, a) => {
          const band = bandOf(id)
          if (band === undefined) return null
          const most = max(band.maxUnits, day.most.get(id) ?? band.maxUnits)
          return usd(a, isLast ? (ends[a] ?? most) : most)
        }),
        largest: pairs.map(({ from, to }) =>
          Math.min(...[from, to].map((a) => widthOf(a, bandOf(assets[a]?.id ?? ("" as AssetId))))),
        ),
      }
    }),
  }

  /** The largest order within the bounds, in usd: from the deepest point to the bound. */
  function widthOf(a: number, band: BandRule | undefined): number {
    const asset = assets[a]
    if (band === undefined || asset === undefined) return Number.MAX_SAFE_INTEGER / 1e3
    const least = days.map((day) => day.least.get(asset.id) ?? band.minUnits).reduce(min)
    const most = days.map((day) => day.most.get(asset.id) ?? band.maxUnits).reduce(max)
    const price = Math.max(...days.map((day) => priceOf(day, a)))
    return usd(a, max(most, band.maxUnits) - min(least, band.minUnits)) * price
  }
}

/** The pairs that some band lists. */
function pairsOf(scenario: Scenario, bands: readonly BandRule[]): ForesightPair[] {
  const at = (id: AssetId): number => scenario.assets.findIndex((one) => one.id === id)
  const listed = new Set(
    bands.flatMap(({ asset, sources, sinks }) => [
      ...sources.map((id) => `${id}>${asset}`),
      ...sinks.map((id) => `${asset}>${id}`),
    ]),
  )
  return scenario.assets.flatMap(({ id: from }) =>
    scenario.assets.flatMap(({ id: to }): ForesightPair[] => {
      if (!listed.has(`${from}>${to}`)) return []
      const { fixedFiat, bps } = scenario.pairFor(from, to)
      const fixed = Number(fixedFiat) / 1e6
      return [{ from: at(from), to: at(to), fixed, share: Number(bps) / 10_000 }]
    }),
  )
}

function min(a: bigint, b: bigint): bigint {
  return b < a ? b : a
}

function max(a: bigint, b: bigint): bigint {
  return b > a ? b : a
}
