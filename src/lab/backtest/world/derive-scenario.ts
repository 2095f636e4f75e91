import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { ruleKindOf, type TimedRule } from "#policy/rules/registry.ts"
import type { BalanceBounds } from "#policy/rules/rule-kind.ts"
import { ASSUMED_PRICES, type FeeAssumption, guessCoinPrice, guessPrice } from "../assumptions.ts"
import type { Subject } from "../subject.ts"
import type {
  OrderModel,
  PairModel,
  PricePath,
  RecordedFlow,
  RecordedQuote,
  Scenario,
  ScenarioAsset,
  ScenarioChain,
  Spread,
} from "./scenario.ts"

/**
 * The choices of the user. Everything left out is derived from the configuration and from
 * `assumptions.ts`.
 */
export type ScenarioChoices = {
  readonly startMs?: number
  readonly stepMs?: number
  readonly assets: ReadonlyMap<AssetId, Partial<Omit<ScenarioAsset, "id" | "decimals">>>
  readonly prices: ReadonlyMap<string, Partial<Omit<PricePath, "name">>>
  readonly pair: Partial<PairModel>
  /** By `from>to`. */
  readonly pairs: ReadonlyMap<string, Partial<PairModel>>
  readonly routes?: Scenario["routes"]
  readonly chains: ReadonlyMap<ChainId, Partial<FeeAssumption> & { readonly gasUnits?: bigint }>
  readonly orders: Partial<OrderModel>
  readonly flows: readonly RecordedFlow[]
  readonly quotes: readonly RecordedQuote[]
}

/** A chain as its family describes it to a scenario. */
export type ScenarioTraits = Pick<ChainTraits, "nativeCoin" | "refundFeeTakenFromAmount"> & {
  readonly chain: ChainId
  /** Blocks come minutes apart. */
  readonly isSlow: boolean
  /** Usual network fees in the native coin. */
  readonly fees: FeeAssumption
}

/** 2026-01-01, so that a run does not depend on today's date. */
const START_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

/**
 * The scenario for one policy, or for several that are compared. It has the assets of all policies;
 * derived values come from the first policy.
 *
 * Throws `simulate.price_missing` (refused) for an asset without a known price, and
 * `simulate.period` (refused) for a period that ends before it begins or misses the whole record.
 */
export function deriveScenario(
  subjects: readonly [Subject, ...Subject[]],
  traits: readonly ScenarioTraits[],
  days: number,
  choices: ScenarioChoices,
): Scenario {
  const startMs = choices.startMs ?? START_MS
  checkPeriod(startMs, days, choices)
  const [first] = subjects
  const configured = unique(subjects.flatMap(({ assets }) => assets))
  const chains = unique(configured.map(({ chain }) => ({ id: chain }))).map(({ id }) =>
    chainOfScenario(id, configured, traits, choices),
  )
  const coins = chains.filter(({ coin }) => !configured.some(({ id }) => id === coin))
  const named = [
    ...configured.map(({ id, decimals }) => ({ id, decimals, price: priceName(id, choices) })),
    ...coins.map(({ chain, coin }) => coinAsset(chain, coin, traits, choices)),
  ]
  const prices = [...new Set(named.map(({ price }) => price))].map((name) =>
    pricePath(name, choices),
  )
  const fiatOf = (name: string): bigint =>
    prices.find((path) => path.name === name)?.startFiat ?? 0n
  const worth = startingWorth(first.settings.rules, named, fiatOf)
  return {
    startMs,
    days,
    stepMs: choices.stepMs ?? HOUR_MS,
    assets: named.map((asset) => ({
      ...flowOf(first.settings.rules, asset.id),
      startUnits: startUnits(first.settings.rules, asset, { worth, fiatOf, chains, configured }),
      ...definedOf(choices.assets.get(asset.id)),
      ...asset,
    })),
    prices,
    chains,
    pairFor: (from, to) => ({
      ...defaultPair(from, to, traits),
      ...definedOf(choices.pair),
      ...definedOf(choices.pairs.get(`${from}>${to}`)),
    }),
    ...(choices.routes === undefined ? {} : { routes: choices.routes }),
    orders: { ...DEFAULT_ORDERS, ...definedOf(choices.orders) },
    flows: choices.flows,
    quotes: choices.quotes,
  }
}

const DAY_MS = 86_400_000

/**
 * An empty period would give a result without a single order, which looks like a policy that needs
 * none.
 */
function checkPeriod(startMs: number, days: number, { flows, quotes }: ScenarioChoices): void {
  const endMs = startMs + days * DAY_MS
  const times = [...flows, ...quotes].map(({ atMs }) => atMs)
  const misses = times.length > 0 && times.every((atMs) => atMs < startMs || atMs > endMs)
  if (endMs > startMs && !misses) return
  const from = showDay(startMs)
  const to = showDay(endMs)
  const message =
    endMs > startMs
      ? `The period from ${from} to ${to} contains no row of the record; correct start or days ` +
        "in the scenario, or leave them out"
      : `The period ends at ${to} and begins at ${from}, so it is empty; give it a positive ` +
        "number of days"
  throw new AppError({
    code: "simulate.period",
    disposition: "refused",
    message,
    details: { from, to },
  })
}

function showDay(atMs: number): string {
  return Number.isFinite(atMs) && Math.abs(atMs) <= 8.64e15
    ? new Date(atMs).toISOString()
    : "no date"
}

const MINUTE_MS = 60_000
const DEFAULT_ORDERS: OrderModel = {
  declinedPpm: 5_000n,
  refundedPpm: 5_000n,
  refundAfterMs: 24 * HOUR_MS,
  approval: { least: 5 * MINUTE_MS, typical: 30 * MINUTE_MS, most: 8 * HOUR_MS },
}

const QUICK: Spread = { least: 30_000, typical: 2 * MINUTE_MS, most: 20 * MINUTE_MS }
const SLOW: Spread = { least: 10 * MINUTE_MS, typical: 25 * MINUTE_MS, most: 90 * MINUTE_MS }

/** The costs and durations of live deployments: about 30 basis points and up to two dollars. */
function defaultPair(from: AssetId, to: AssetId, traits: readonly ScenarioTraits[]): PairModel {
  const slow = traits.some(
    ({ chain, isSlow }) => isSlow && (chain === chainOf(from) || chain === chainOf(to)),
  )
  const fees = { fixedFiat: 1_000_000n, bps: 30n }
  return {
    available: true,
    ...fees,
    leastFiat: 10_000_000n,
    mostFiat: null,
    duration: slow ? SLOW : QUICK,
  }
}

type Named = { readonly id: AssetId; readonly decimals: number; readonly price: string }

function priceName(id: AssetId, { assets }: ScenarioChoices): string {
  const name = assets.get(id)?.price ?? guessPrice(id)
  if (name !== null) return name
  throw new AppError({
    code: "simulate.price_missing",
    disposition: "refused",
    message:
      `The value of ${id} is not known; give it a price in the scenario: assets.${id}.price, ` +
      "and its start under prices",
    details: { asset: id },
  })
}

function pricePath(name: string, { prices }: ScenarioChoices): PricePath {
  const chosen = prices.get(name)
  const assumed = ASSUMED_PRICES[name]
  const startFiat = chosen?.startFiat ?? assumed?.startFiat
  if (startFiat === undefined) {
    const key = `prices.${name}.start`
    throw new AppError({
      code: "simulate.price_missing",
      disposition: "refused",
      message: `The price "${name}" has no start; give it one in the scenario: ${key}`,
      details: { price: name },
    })
  }
  return {
    name,
    driftPpm: chosen?.driftPpm ?? 0n,
    volatilityPpm: chosen?.volatilityPpm ?? assumed?.volatilityPpm ?? 0n,
    startFiat,
  }
}

function chainOfScenario(
  chain: ChainId,
  assets: readonly Asset[],
  traits: readonly ScenarioTraits[],
  choices: ScenarioChoices,
): ScenarioChain {
  const known = traitsOf(chain, traits)
  const chosen = choices.chains.get(chain)
  return {
    chain,
    coin: nativeAssetId(chain, assets, known.nativeCoin),
    depositFeeUnits: chosen?.depositFeeUnits ?? known.fees.depositFeeUnits,
    refundFeeUnits: chosen?.refundFeeUnits ?? known.fees.refundFeeUnits,
    worstFactor: 3n,
    takesRefundFeeOut: known.refundFeeTakenFromAmount,
  }
}

function coinAsset(
  chain: ChainId,
  coin: AssetId,
  traits: readonly ScenarioTraits[],
  { chains }: ScenarioChoices,
): Named & { readonly startUnits?: bigint } {
  const { decimals, symbol } = traitsOf(chain, traits).nativeCoin
  const name = symbol.toLowerCase()
  const price = guessCoinPrice(name) ?? name
  const gasUnits = chains.get(chain)?.gasUnits
  return { id: coin, decimals, price, ...(gasUnits === undefined ? {} : { startUnits: gasUnits }) }
}

function traitsOf(chain: ChainId, traits: readonly ScenarioTraits[]): ScenarioTraits {
  const found = traits.find((one) => one.chain === chain)
  assert(found !== undefined, "every asset has its chain", { chain })
  return found
}

/** The start balance of a coin that only pays fees, in deposits. */
const GAS_DEPOSITS = 1_000n

function startUnits(
  rules: readonly TimedRule[],
  { id, decimals, price }: Named,
  around: {
    readonly worth: bigint
    readonly fiatOf: (name: string) => bigint
    readonly chains: readonly ScenarioChain[]
    readonly configured: readonly Asset[]
  },
): bigint {
  const { worth, fiatOf, chains, configured } = around
  const bounds = boundsOf(rules, id)
  if (bounds) return bounds.targetUnits
  const coin = chains.find((chain) => chain.coin === id)
  if (coin && !configured.some((asset) => asset.id === id))
    return coin.depositFeeUnits * GAS_DEPOSITS
  const [weight] = rules.flatMap((rule) => startShareOf(rule, id) ?? [])
  const share = weight === undefined ? 10_000n : weight * 3n
  const fiat = fiatOf(price)
  return fiat === 0n ? 0n : (worth * share * 10n ** BigInt(decimals)) / (fiat * 10_000n)
}

const LEAST_WORTH_FIAT = 100_000_000_000n

/**
 * The start value of an asset without balance bounds: five times the largest target, and at least
 * 100 000.
 */
function startingWorth(
  rules: readonly TimedRule[],
  assets: readonly Named[],
  fiatOf: (name: string) => bigint,
): bigint {
  const targets = assets.flatMap(({ id, decimals, price }) => {
    const bounds = boundsOf(rules, id)
    return bounds ? [(bounds.targetUnits * fiatOf(price)) / 10n ** BigInt(decimals)] : []
  })
  return targets
    .map((fiat) => fiat * 5n)
    .reduce((most, fiat) => (fiat > most ? fiat : most), LEAST_WORTH_FIAT)
}

/**
 * A balance with bounds changes by a tenth of their width a day, in either direction. Without an
 * upper bound the target is the width.
 */
function flowOf(
  rules: readonly TimedRule[],
  id: AssetId,
): Pick<ScenarioAsset, "driftUnits" | "volatilityUnits"> {
  const bounds = boundsOf(rules, id)
  return { driftUnits: 0n, volatilityUnits: bounds ? widthOf(bounds) / 10n : 0n }
}

function widthOf({ minUnits, targetUnits, maxUnits }: BalanceBounds): bigint {
  return maxUnits === null ? targetUnits : maxUnits - minUnits
}

function startShareOf(rule: TimedRule, id: AssetId): bigint | null {
  const { backtest } = ruleKindOf(rule)
  return backtest.measures === "total" ? backtest.startShareBps(rule, id) : null
}

/** The balance bounds of the first enabled rule that has some for the asset. */
function boundsOf(rules: readonly TimedRule[], id: AssetId): BalanceBounds | null {
  const enabled = rules.filter((rule) => rule.enabled !== false)
  return (
    enabled
      .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
      .find(({ asset }) => asset === id) ?? null
  )
}

function unique<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return items.filter(({ id }, index) => items.findIndex((other) => other.id === id) === index)
}

/** The value without its undefined keys, which would hide a default. */
function definedOf<T extends object>(value: T | undefined): Partial<T> {
  if (value === undefined) return {}
  // CAST: only keys of T are left.
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== undefined),
  ) as Partial<T>
}
