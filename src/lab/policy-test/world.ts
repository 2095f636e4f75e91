import type { Subject } from "#backtest/subject.ts"
import {
  deriveScenario,
  type ScenarioChoices,
  type ScenarioTraits,
} from "#backtest/world/derive-scenario.ts"
import type { FaultKind, Scenario } from "#backtest/world/scenario.ts"

/**
 * A random world as plain numbers. Zero is always the ordinary value, so that shrinking toward zero
 * makes a world simpler: balances as the rules want them, no withdrawals, fixed prices, usual
 * costs, and no fault.
 */
export type World = {
  /** The market's seed, and the hours between the usual start and this one. */
  readonly seed: number
  readonly startHour: number
  readonly days: number
  /** By asset, in percent: how far the balance at the start is from the usual one. */
  readonly balances: readonly number[]
  /** Deposits and withdrawals by others, in percent of the usual balance. */
  readonly flows: readonly WorldFlow[]
  /** By price, in percent: how far it is from the usual one. */
  readonly prices: readonly number[]
  /** How many times the usual volatility prices have. */
  readonly volatility: number
  /** In basis points and tenths of fiat: how far costs are from the usual ones. */
  readonly extraBps: number
  readonly extraTenths: number
  /** In percent of the usual time that an order takes. */
  readonly slower: number
  readonly declinedPercent: number
  readonly faults: readonly WorldFault[]
}

export type WorldFlow = {
  readonly asset: number
  readonly minute: number
  readonly percent: number
}
export type WorldFault = {
  readonly what: number
  readonly subject: number
  readonly minute: number
  readonly minutes: number
}

/** The parts of a configuration that make its worlds. */
export type WorldSource = {
  readonly subject: Subject
  readonly traits: readonly ScenarioTraits[]
  /** Prices of the test file, and other choices that hold in every world. */
  readonly choices: ScenarioChoices
}

export const FAULT_KINDS = 5

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * The scenario of a world. Throws `simulate.price_missing` (refused) for an asset without a known
 * price.
 */
export function toScenario({ subject, traits, choices }: WorldSource, world: World): Scenario {
  const usual = deriveScenario([subject], traits, world.days, choices)
  const startMs = usual.startMs + world.startHour * HOUR_MS
  const shifts = new Map(subject.assets.map(({ id }, index) => [id, world.balances[index] ?? 0]))
  const atMs = (minute: number): number => startMs + minute * MINUTE_MS
  const flows = world.flows.flatMap(({ asset, minute, percent }) => {
    const id = subject.assets[asset % subject.assets.length]?.id
    const scale = usual.assets.find((one) => one.id === id)?.startUnits ?? 0n
    return id === undefined
      ? []
      : [{ atMs: atMs(minute), asset: id, units: (scale * BigInt(percent)) / 100n }]
  })
  const faults = world.faults.flatMap((fault) => {
    const kind = faultOf(fault, subject)
    return kind === null
      ? []
      : [{ ...kind, fromMs: atMs(fault.minute), untilMs: atMs(fault.minute + fault.minutes) }]
  })
  return {
    ...usual,
    startMs,
    days: world.days,
    // Only the flows of the world change a balance from outside.
    assets: usual.assets.map((asset) => ({
      ...asset,
      startUnits: shifted(asset.startUnits, shifts.get(asset.id) ?? 0),
      driftUnits: 0n,
      volatilityUnits: 0n,
    })),
    prices: usual.prices.map((price, index) => ({
      ...price,
      startFiat: shifted(price.startFiat, world.prices[index] ?? 0),
      volatilityPpm: price.volatilityPpm * BigInt(world.volatility),
      driftPpm: 0n,
    })),
    pairFor: (from, to) => dearer(usual.pairFor(from, to), world),
    orders: {
      ...usual.orders,
      declinedPpm: BigInt(world.declinedPercent) * 10_000n,
      refundedPpm: 0n,
    },
    flows: flows.sort((a, b) => a.atMs - b.atMs),
    faults,
  }
}

/** The fault as the backtest has it; `null` for an index without an asset. */
function faultOf({ what, subject: index }: WorldFault, { assets }: Subject): FaultKind | null {
  const asset = assets[index % assets.length]?.id
  const other = assets[(index + 1) % assets.length]?.id
  if (asset === undefined || other === undefined) return null
  const kinds: readonly FaultKind[] = [
    { kind: "pair", from: asset, to: other },
    { kind: "pause", scope: "all" },
    { kind: "balance", asset },
    { kind: "price", asset },
    { kind: "service" },
  ]
  return kinds[what % kinds.length] ?? null
}

function shifted(units: bigint, percent: number): bigint {
  const result = (units * BigInt(100 + percent)) / 100n
  return result > 0n ? result : 0n
}

function dearer(
  pair: ReturnType<Scenario["pairFor"]>,
  world: World,
): ReturnType<Scenario["pairFor"]> {
  const fixedFiat = pair.fixedFiat + BigInt(world.extraTenths) * 100_000n
  const bps = pair.bps + BigInt(world.extraBps)
  const slower = (ms: number): number => Math.round((ms * (100 + world.slower)) / 100)
  const { least, typical, most } = pair.duration
  const duration = { least: slower(least), typical: slower(typical), most: slower(most) }
  return { ...pair, fixedFiat: fixedFiat > 0n ? fixedFiat : 0n, bps: bps > 0n ? bps : 0n, duration }
}

/** How many prices a world of the configuration has. */
export function countPrices(source: WorldSource): number {
  return deriveScenario([source.subject], source.traits, 1, source.choices).prices.length
}
