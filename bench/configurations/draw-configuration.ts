import type { Subject } from "#backtest/subject.ts"
import type { ScenarioChoices, ScenarioTraits } from "#backtest/world/derive-scenario.ts"
import { createRandom, type Random } from "#backtest/world/random.ts"
import type { PairModel } from "#backtest/world/scenario.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { CostLimit, OrderPolicy } from "#domain/order.ts"
import type { Limits } from "#guards/limits.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { drawInt, POLICY, percent, pick, shuffle } from "../random-treasury.ts"

/**
 * A random configuration and its market: two or three chains, assets of 0 to 18 decimals whose
 * smallest unit is worth up to two hundred, one to four rules, windows, slow pairs, routes that the
 * service does not offer, and ceilings in fiat or as a share.
 */
export type Configuration = {
  readonly seed: number
  readonly subject: Subject
  readonly traits: readonly ScenarioTraits[]
  readonly choices: ScenarioChoices
  /** Nothing flows and no price changes, so whatever goes round, the rules moved. */
  readonly isStill: boolean
}

/** The same number gives the same configuration in every checkout. */
export function drawConfiguration(seed: number): Configuration {
  const random = createRandom(seed, "configuration")
  const chains = CHAINS.slice(0, 2 + drawInt(random, 2))
  const held = drawAssets(random, chains)
  const worth = pick(random, [2_000n, 10_000n, 50_000n])
  const rules = drawRules(random, held, worth)
  const isStill = random.next() < 0.5
  return {
    seed,
    isStill,
    subject: drawSubject(random, held, rules, worth),
    traits: chains.map(traitsOf),
    choices: drawChoices(random, held, { worth, isStill }),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FIAT = 1_000_000n
const CHAINS = ["one", "two", "three"] as const

/** `unitFiat`: the worth of one smallest unit, in 10^-12 of a millionth. */
type Held = { readonly asset: Asset; readonly priceFiat: bigint }

function drawAssets(random: Random, chains: readonly string[]): Held[] {
  return chains.flatMap((chain) =>
    Array.from({ length: 1 + drawInt(random, 2) }, (_, at) => drawAsset(random, chain, at)),
  )
}

function drawAsset(random: Random, chain: string, at: number): Held {
  const decimals = pick(random, [0, 0, 1, 2, 4, 6, 6, 8, 8, 12, 18])
  // A unit of a coarse asset is worth up to two hundred, and a coin at most a hundred thousand.
  const unitFiat = pick(random, [1n, 3n, 100n, 10_007n, FIAT, 7n * FIAT, 50n * FIAT, 190n * FIAT])
  const whole = unitFiat * 10n ** BigInt(decimals)
  const most = 100_000n * FIAT
  return {
    asset: {
      id: parseAssetId(`${chain}:coin${at}`),
      chain: toChainId(chain),
      decimals,
      token: "0x1",
      htlc: [],
    },
    priceFiat: whole > most ? most : whole < 1_000n ? 1_000n : whole,
  }
}

function drawRules(random: Random, held: readonly Held[], worth: bigint): TimedRule[] {
  const free = shuffle(random, held)
  return Array.from({ length: 1 + drawInt(random, 4) }, (_, at): TimedRule | null => {
    const kind = random.next()
    const own = drawOwnCost(random)
    const keys = { id: `r${at}`, ...(own === null ? {} : { maxCost: own }) }
    if (kind < 0.5) {
      const one = free.pop()
      return one === undefined ? null : { ...keys, ...drawBand(random, one, held, worth) }
    }
    const [from, to] = drawPair(random, held)
    if (kind < 0.7) return { ...keys, ...drawSweep(random, from, to, worth) }
    if (kind < 0.9) return { ...keys, ...drawWeights(random, from, to) }
    return { ...keys, ...drawRecurring(random, from, to, worth) }
  }).filter((rule) => rule !== null)
}

function drawOwnCost(random: Random): CostLimit | null {
  return random.next() < 0.6 ? null : drawCost(random)
}

function drawCost(random: Random): CostLimit {
  return random.next() < 0.5
    ? { kind: "fiat", fiat: BigInt(1 + drawInt(random, 30)) * FIAT }
    : { kind: "share", bps: BigInt(20 + drawInt(random, 300)) }
}

type Body<Kind> = Omit<Extract<TimedRule, { readonly kind: Kind }>, "id" | "maxCost">

function drawBand(
  random: Random,
  { asset, priceFiat }: Held,
  held: readonly Held[],
  worth: bigint,
): Body<"band"> {
  const targetUnits = unitsOf({ asset, priceFiat }, worth)
  const partners = shuffle(
    random,
    held.filter((one) => one.asset.id !== asset.id),
  ).map((one) => one.asset.id)
  const sources = partners.slice(0, 1 + drawInt(random, partners.length))
  const sinks = shuffle(random, partners).slice(0, drawInt(random, partners.length + 1))
  return {
    kind: "band",
    asset: asset.id,
    minUnits: percent(targetUnits, 30 + drawInt(random, 60)),
    targetUnits,
    maxUnits: percent(targetUnits, 110 + drawInt(random, 150)),
    sources,
    sinks,
    move: pick(random, ["target", "edge", "values"]),
    everyMs: pick(random, INTERVALS),
  }
}

const INTERVALS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]

function drawSweep(random: Random, from: Held, to: Held, worth: bigint): Body<"sweep"> {
  return {
    kind: "sweep",
    from: from.asset.id,
    keepUnits: unitsOf(from, percent(worth, drawInt(random, 100))),
    to: to.asset.id,
    everyMs: pick(random, INTERVALS),
  }
}

function drawWeights(random: Random, from: Held, to: Held): Body<"weights"> {
  const bps = BigInt(2_000 + 500 * drawInt(random, 13))
  return {
    kind: "weights",
    weights: [
      { asset: from.asset.id, bps },
      { asset: to.asset.id, bps: 10_000n - bps },
    ],
    toleranceBps: BigInt(200 + 100 * drawInt(random, 10)),
    everyMs: pick(random, INTERVALS),
  }
}

function drawRecurring(random: Random, from: Held, to: Held, worth: bigint): Body<"recurring"> {
  const units = unitsOf(from, percent(worth, 1 + drawInt(random, 20)))
  return {
    kind: "recurring",
    schedule: pick(random, ["0 9 * * *", "0 */8 * * *", "0 9 * * MON"]),
    timezone: "UTC",
    from: from.asset.id,
    to: to.asset.id,
    amount: { kind: "units", units: units > 0n ? units : 1n },
    catchUp: "skip",
    windowMs: pick(random, [null, HOUR_MS, 6 * HOUR_MS]),
  }
}

function drawPair(random: Random, held: readonly Held[]): readonly [Held, Held] {
  const from = pick(random, held)
  const others = held.filter(({ asset }) => asset.chain !== from.asset.chain)
  return [from, pick(random, others)]
}

function drawSubject(
  random: Random,
  held: readonly Held[],
  rules: readonly TimedRule[],
  worth: bigint,
): Subject {
  const maxCost = drawCost(random)
  const way = pick(random, ["gasless", "onchain"] as const)
  const policy: OrderPolicy = { ...POLICY, maxCost, way }
  return {
    name: `configuration`,
    assets: held.map(({ asset }) => asset),
    maxCost,
    priced: new Set(),
    settings: {
      rules,
      limits: drawLimits(random, worth),
      cooldownMs: 30 * MINUTE_MS,
      cooldownMaxMs: 8 * HOUR_MS,
      minNative: new Map(),
      policyFor: () => policy,
    },
  }
}

function drawLimits(random: Random, worth: bigint): Limits {
  const windows = Array.from({ length: drawInt(random, 3) }, () => ({
    perMs: pick(random, [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS]),
    max: drawOrNull(random, () => ({
      kind: "fiat" as const,
      fiat: percent(worth * FIAT, 5 + drawInt(random, 300)),
    })),
    maxFeesFiat: drawOrNull(random, () => BigInt(1 + drawInt(random, 60)) * FIAT),
    maxCount: drawOrNull(random, () => 1 + drawInt(random, 8)),
  }))
  return {
    maxOrder: drawOrNull(random, () => ({
      kind: "fiat" as const,
      fiat: percent(worth * FIAT, 2 + drawInt(random, 120)),
    })),
    maxInFlight: 1 + drawInt(random, 8),
    windows,
  }
}

function drawOrNull<T>(random: Random, draw: () => T): T | null {
  return random.next() < 0.5 ? null : draw()
}

function drawChoices(
  random: Random,
  held: readonly Held[],
  { worth, isStill }: { readonly worth: bigint; readonly isStill: boolean },
): ScenarioChoices {
  const assets = held.map((one) => {
    const flow = (share: number): bigint => (isStill ? 0n : unitsOf(one, percent(worth, share)))
    const choice = {
      price: one.asset.id,
      startUnits: unitsOf(one, percent(worth, 10 + drawInt(random, 300))),
      driftUnits: flow(drawInt(random, 21) - 10),
      volatilityUnits: flow(drawInt(random, 16)),
    }
    return [one.asset.id, choice] as const
  })
  const prices = held.map(({ asset, priceFiat }) => {
    const volatilityPpm = isStill ? 0n : BigInt(drawInt(random, 600_000))
    return [asset.id, { startFiat: priceFiat, volatilityPpm }] as const
  })
  return {
    assets: new Map<AssetId, (typeof assets)[number][1]>(assets),
    prices: new Map(prices),
    pair: {},
    pairs: new Map(
      held.flatMap(({ asset: from }) =>
        held.map(({ asset: to }) => [`${from.id}>${to.id}`, drawPairModel(random)] as const),
      ),
    ),
    chains: new Map(),
    orders: { declinedPpm: 0n, refundedPpm: 0n },
    flows: [],
    quotes: [],
  }
}

function drawPairModel(random: Random): Partial<PairModel> {
  const isSlow = random.next() < 0.3
  const hours = isSlow ? 1 + drawInt(random, 30) : 0
  const ms = hours * HOUR_MS
  return {
    available: random.next() < 0.85,
    fixedFiat: random.next() < 0.2 ? 0n : BigInt(drawInt(random, 4_000_000)),
    bps: random.next() < 0.1 ? 0n : BigInt(drawInt(random, 60)),
    leastFiat: drawOrNull(random, () => BigInt(1 + drawInt(random, 100)) * FIAT),
    mostFiat: drawOrNull(random, () => BigInt(200 + drawInt(random, 20_000)) * FIAT),
    duration: { least: ms + 30_000, typical: ms + 2 * MINUTE_MS, most: ms + 20 * MINUTE_MS },
  }
}

function traitsOf(chain: string): ScenarioTraits {
  return {
    chain: toChainId(chain),
    nativeCoin: { symbol: "ETH", decimals: 18, token: null },
    refundFeeTakenFromAmount: false,
    isSlow: false,
    fees: { depositFeeUnits: 100_000_000_000_000n, refundFeeUnits: 60_000_000_000_000n },
  }
}

/** `worth` in whole fiat. */
function unitsOf({ asset, priceFiat }: Held, worth: bigint): bigint {
  return (worth * FIAT * 10n ** BigInt(asset.decimals)) / priceFiat
}
