import { listDue } from "#backtest/list-due.ts"
import { feesOf, outsideBps } from "#backtest/results/summarise.ts"
import { runSeed } from "#backtest/run-seed.ts"
import type { Subject } from "#backtest/subject.ts"
import {
  deriveScenario,
  type ScenarioChoices,
  type ScenarioTraits,
} from "#backtest/world/derive-scenario.ts"
import { createRandom, type Random } from "#backtest/world/random.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { TimedRule } from "#policy/rules/registry.ts"

/**
 * A random treasury: two to five chains, three to seven assets, one to five rules, and a market.
 */
export type RandomTreasury = {
  readonly seed: number
  /** The kinds of its rules, for the table. */
  readonly mix: "bands" | "bands and others" | "others"
  readonly subject: Subject
  readonly traits: readonly ScenarioTraits[]
  readonly choices: ScenarioChoices
}

/**
 * Fiat in millionths as decimal text; the time outside in basis points of the whole time, averaged
 * over the rules that measure it.
 */
export type TreasuryResult = {
  readonly seed: number
  readonly mix: RandomTreasury["mix"]
  readonly moves: number
  readonly costFiat: string
  readonly volumeFiat: string
  readonly outsideBps: number
  /** The value of all wallets at the end, which falls by costs that no fee shows. */
  readonly finalFiat: string
  /**
   * Whether the churn alarm paused a rule: such a treasury saves costs by doing nothing. Absent in
   * older baselines.
   */
  readonly isPaused?: boolean
}

export function runTreasury(
  { seed, mix, subject, traits, choices }: RandomTreasury,
  days: number,
): TreasuryResult {
  const scenario = deriveScenario([subject], traits, days, choices)
  const run = runSeed(subject, scenario, listDue(subject, scenario), seed)
  return {
    seed,
    mix,
    moves: run.moves,
    costFiat: String(feesOf(run)),
    volumeFiat: String(run.volumeFiat),
    outsideBps: outsideBps(run, scenario),
    finalFiat: String(run.finalFiat),
    isPaused: [...run.declined, ...run.refused].some(({ code }) => code === "paused"),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FIAT = 1_000_000n

/**
 * Coins by name: their decimals and start price in whole fiat units. `assumptions.ts` knows their
 * prices.
 */
const COINS = [
  { name: "btc", decimals: 8, fiat: 100_000n },
  { name: "eth", decimals: 18, fiat: 3_000n },
  { name: "usdc", decimals: 6, fiat: 1n },
  { name: "usdt", decimals: 6, fiat: 1n },
] as const
type Coin = (typeof COINS)[number]

const CHAINS = ["bitcoin", "one", "two", "three", "four"] as const

/** The same number gives the same treasury in every checkout. */
export function drawTreasury(seed: number): RandomTreasury {
  const random = createRandom(seed, "treasury")
  const chains = CHAINS.slice(0, 2 + drawInt(random, 4))
  const held = drawAssets(random, chains)
  // The worth that one band keeps, so that bands of different coins have a similar size.
  const worth = BigInt(5_000 * (1 + drawInt(random, 20)))
  const rules = drawRules(random, held, worth)
  const subject = buildSubject(random, held, rules, worth)
  return {
    seed,
    mix: mixOf(rules),
    subject,
    traits: chains.map(traitsOf),
    choices: drawChoices(random, held, rules, worth),
  }
}

type Held = { readonly asset: Asset; readonly coin: Coin }

function drawAssets(random: Random, chains: readonly string[]): Held[] {
  const all = chains.flatMap((chain) =>
    (chain === "bitcoin" ? [COINS[0]] : COINS).map((coin) => heldOf(chain, coin)),
  )
  const wanted = Math.min(all.length, 3 + drawInt(random, 5))
  // One asset of each chain first, so that no chain is without one.
  const firsts = chains.map((chain) =>
    pick(
      random,
      all.filter(({ asset }) => asset.chain === chain),
    ),
  )
  const others = shuffle(
    random,
    all.filter((one) => !firsts.includes(one)),
  )
  return [...firsts, ...others].slice(0, Math.max(wanted, chains.length))
}

function heldOf(chain: string, coin: Coin): Held {
  const isNative =
    (chain === "bitcoin" && coin.name === "btc") || (chain !== "bitcoin" && coin.name === "eth")
  const id = parseAssetId(`${chain}:${coin.name}`)
  return {
    coin,
    asset: {
      id,
      chain: toChainId(chain),
      decimals: coin.decimals,
      token: isNative ? null : "0x1",
      htlc: [],
    },
  }
}

function drawRules(random: Random, held: readonly Held[], worth: bigint): TimedRule[] {
  const banded = shuffle(random, held).slice(0, 1 + drawInt(random, Math.min(4, held.length - 1)))
  const share = random.next()
  const bands = share < 0.85 ? banded.map((one) => drawBand(random, one, held, worth)) : []
  const others = share > 0.6 ? [drawOther(random, held, banded, worth)] : []
  return [...bands, ...others]
}

function drawBand(
  random: Random,
  { asset, coin }: Held,
  held: readonly Held[],
  worth: bigint,
): TimedRule {
  const target = unitsOf(coin, worth)
  const partners = shuffle(
    random,
    held.filter((one) => one.asset.chain !== asset.chain),
  ).map((one) => one.asset.id)
  const count = 1 + drawInt(random, Math.min(3, partners.length))
  return {
    id: `band-${asset.id.replace(":", "-")}`,
    kind: "band",
    asset: asset.id,
    minUnits: percent(target, 30 + drawInt(random, 50)),
    targetUnits: target,
    maxUnits: percent(target, 120 + drawInt(random, 130)),
    sources: partners.slice(0, count),
    sinks: partners.slice(0, count),
    move: random.next() < 0.5 ? "target" : "edge",
    everyMs: [10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS][drawInt(random, 3)] ?? HOUR_MS,
  }
}

/** Weights, a sweep or a recurring swap over assets of different chains. */
function drawOther(
  random: Random,
  held: readonly Held[],
  banded: readonly Held[],
  worth: bigint,
): TimedRule {
  const [from, to] = drawPair(random, held)
  const free = held.filter((one) => !banded.includes(one))
  const kind = random.next()
  if (kind < 0.4) {
    const bps = BigInt(3_000 + 500 * drawInt(random, 9))
    const weights = [
      { asset: from.asset.id, bps },
      { asset: to.asset.id, bps: 10_000n - bps },
    ]
    return {
      id: "weights",
      kind: "weights",
      weights,
      toleranceBps: BigInt(200 + 100 * drawInt(random, 10)),
      everyMs: HOUR_MS,
    }
  }
  if (kind < 0.7) {
    const swept = free.find(({ asset }) => asset.chain !== to.asset.chain) ?? from
    const keepUnits = unitsOf(swept.coin, worth / 2n)
    const sink = swept.asset.chain === to.asset.chain ? from.asset.id : to.asset.id
    return {
      id: "sweep",
      kind: "sweep",
      from: swept.asset.id,
      keepUnits,
      to: sink,
      everyMs: HOUR_MS,
    }
  }
  const amount = { kind: "units" as const, units: unitsOf(from.coin, worth / 20n) }
  const schedule = ["0 9 * * *", "0 9 * * MON"][drawInt(random, 2)] ?? "0 9 * * *"
  return {
    id: "recurring",
    kind: "recurring",
    schedule,
    timezone: "UTC",
    from: from.asset.id,
    to: to.asset.id,
    amount,
    catchUp: "skip",
  }
}

function drawPair(random: Random, held: readonly Held[]): [Held, Held] {
  const from = pick(random, held)
  return [
    from,
    pick(
      random,
      held.filter((one) => one.asset.chain !== from.asset.chain),
    ),
  ]
}

function buildSubject(
  random: Random,
  held: readonly Held[],
  rules: readonly TimedRule[],
  worth: bigint,
): Subject {
  const maxCost = { kind: "share" as const, bps: BigInt(80 + 40 * drawInt(random, 5)) }
  const maxOrder = random.next() < 0.5 ? { kind: "fiat" as const, fiat: worth * FIAT } : null
  const windowFiat = { kind: "fiat" as const, fiat: worth * 4n * FIAT }
  const window = { perMs: 24 * HOUR_MS, max: windowFiat, maxFeesFiat: null, maxCount: null }
  const way = random.next() < 0.5 ? ("gasless" as const) : ("onchain" as const)
  const policy: OrderPolicy = { ...POLICY, maxCost, way }
  return {
    name: "random",
    assets: held.map(({ asset }) => asset),
    maxCost,
    priced: new Set(),
    settings: {
      rules,
      limits: { maxOrder, maxInFlight: 4, windows: random.next() < 0.5 ? [window] : [] },
      cooldownMs: 30 * MINUTE_MS,
      cooldownMaxMs: 8 * HOUR_MS,
      minNative: new Map(),
      policyFor: () => policy,
    },
  }
}

/**
 * Balances inside or around their bands, daily flows of some percent of the worth, and a price for
 * each pair.
 */
function drawChoices(
  random: Random,
  held: readonly Held[],
  rules: readonly TimedRule[],
  worth: bigint,
): ScenarioChoices {
  const banded = new Set<AssetId>(
    rules.flatMap((rule) => (rule.kind === "band" ? [rule.asset] : [])),
  )
  const assets = held.map(
    ({
      asset,
      coin,
    }): [AssetId, { startUnits: bigint; driftUnits: bigint; volatilityUnits: bigint }] => {
      const target = unitsOf(coin, worth)
      const startUnits = percent(
        target,
        banded.has(asset.id) ? 40 + drawInt(random, 160) : 200 + drawInt(random, 800),
      )
      const driftUnits = percent(target, drawInt(random, 21) - 10)
      return [
        asset.id,
        { startUnits, driftUnits, volatilityUnits: percent(target, drawInt(random, 16)) },
      ]
    },
  )
  const pairs = held.flatMap(({ asset: from }) =>
    held.map(({ asset: to }): [string, { fixedFiat: bigint; bps: bigint; leastFiat: bigint }] => {
      const fixedFiat = (FIAT * BigInt(2 + drawInt(random, 40))) / 10n
      return [
        `${from.id}>${to.id}`,
        { fixedFiat, bps: BigInt(5 + drawInt(random, 40)), leastFiat: 10n * FIAT },
      ]
    }),
  )
  return {
    assets: new Map(assets),
    prices: new Map(),
    pair: {},
    pairs: new Map(pairs),
    chains: new Map(),
    orders: {},
    flows: [],
    quotes: [],
  }
}

function traitsOf(chain: string): ScenarioTraits {
  const isSlow = chain === "bitcoin"
  return {
    chain: toChainId(chain),
    nativeCoin: isSlow
      ? { symbol: "BTC", decimals: 8, token: null }
      : { symbol: "ETH", decimals: 18, token: null },
    refundFeeTakenFromAmount: isSlow,
    isSlow,
    fees: isSlow
      ? { depositFeeUnits: 1_500n, refundFeeUnits: 1_500n }
      : { depositFeeUnits: 100_000_000_000_000n, refundFeeUnits: 60_000_000_000_000n },
  }
}

function mixOf(rules: readonly TimedRule[]): RandomTreasury["mix"] {
  if (rules.every(({ kind }) => kind === "band")) return "bands"
  return rules.some(({ kind }) => kind === "band") ? "bands and others" : "others"
}

function unitsOf({ decimals, fiat }: Coin, worth: bigint): bigint {
  return (worth * 10n ** BigInt(decimals)) / fiat
}

export function percent(units: bigint, share: number): bigint {
  return (units * BigInt(share)) / 100n
}

export function drawInt(random: Random, below: number): number {
  return Math.floor(random.next() * below)
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[drawInt(random, items.length)]
  if (item === undefined) throw new Error("nothing to draw from")
  return item
}

export function shuffle<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const BOUNDS = { min: 1n, max: 1_000_000n, secondsPerUnit: 2 }

export const POLICY: OrderPolicy = {
  way: "gasless",
  maxCost: { kind: "share", bps: 100n },
  pollMinMs: 1_000,
  pollMaxMs: 5_000,
  stuckAfterMs: 600_000,
  patienceMs: 600_000,
  depositWindowMs: HOUR_MS,
  deadlineMarginMs: MINUTE_MS,
  reportPatienceMs: 900_000,
  timelocks: { source: BOUNDS, destination: BOUNDS },
  approveAbove: null,
  approvalTtlMs: HOUR_MS,
}
