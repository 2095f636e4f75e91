import { nativeOf } from "#books/accounts.ts"
import { type Asset, type AssetId, type ChainId, chainOf, type Family } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import type { StandingRule, TimedRule } from "#policy/rules/registry.ts"
import { COINS, FEES, type FeeHabit, guessPrice, NATIVE_DECIMALS } from "./habits.ts"
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
import type { Subject } from "./subject.ts"

/** What somebody chose; everything left out is derived from the configuration and from habits (`habits.ts`). */
export type ScenarioChoices = {
  readonly startMs?: number
  readonly stepMs?: number
  readonly assets: ReadonlyMap<AssetId, Partial<Omit<ScenarioAsset, "id" | "decimals">>>
  readonly prices: ReadonlyMap<string, Partial<Omit<PricePath, "name">>>
  readonly pair: Partial<PairModel>
  /** By `from>to`. */
  readonly pairs: ReadonlyMap<string, Partial<PairModel>>
  readonly chains: ReadonlyMap<ChainId, Partial<FeeHabit> & { readonly gasUnits?: bigint }>
  readonly orders: Partial<OrderModel>
  readonly flows: readonly RecordedFlow[]
  readonly quotes: readonly RecordedQuote[]
}

/** What a scenario must know of a chain beside its name. */
export type ChainFacts = { readonly chain: ChainId; readonly family: Family; readonly evmChainId: number | null }

/** 2026-01-01, so that a run does not depend on the day on which it is made. */
const START_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

/**
 * The world for one policy, or for two that are compared: then of all their assets, with what is derived from the first.
 *
 * Throws `simulate.price_missing` (refused) for an asset of which no price is known.
 */
export function deriveScenario(
  subjects: readonly [Subject, ...Subject[]],
  facts: readonly ChainFacts[],
  days: number,
  choices: ScenarioChoices,
): Scenario {
  const [first] = subjects
  const configured = unique(subjects.flatMap(({ assets }) => assets))
  const chains = unique(configured.map(({ chain }) => ({ id: chain }))).map(({ id }) =>
    chainOfScenario(id, configured, facts, choices),
  )
  const coins = chains.filter(({ coin }) => !configured.some(({ id }) => id === coin))
  const named = [
    ...configured.map(({ id, decimals }) => ({ id, decimals, price: priceName(id, choices) })),
    ...coins.map(({ chain, coin }) => coinAsset(chain, coin, facts, choices)),
  ]
  const prices = [...new Set(named.map(({ price }) => price))].map((name) => pricePath(name, choices))
  const fiatOf = (name: string): bigint => prices.find((path) => path.name === name)?.startFiat ?? 0n
  const worth = startingWorth(first.settings.rules, named, fiatOf)
  return {
    startMs: choices.startMs ?? START_MS,
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
      ...defaultPair(from, to, facts),
      ...definedOf(choices.pair),
      ...definedOf(choices.pairs.get(`${from}>${to}`)),
    }),
    orders: { ...DEFAULT_ORDERS, ...definedOf(choices.orders) },
    flows: choices.flows,
    quotes: choices.quotes,
  }
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

/** What live deployments ask for (a share of about 30 basis points and up to two dollars), and how long they take. */
function defaultPair(from: AssetId, to: AssetId, facts: readonly ChainFacts[]): PairModel {
  const slow = facts.some(
    ({ chain, family }) => family === "bitcoin" && (chain === chainOf(from) || chain === chainOf(to)),
  )
  const fees = { fixedFiat: 1_000_000n, bps: 30n }
  return { available: true, ...fees, leastFiat: 10_000_000n, mostFiat: null, duration: slow ? SLOW : QUICK }
}

type Named = { readonly id: AssetId; readonly decimals: number; readonly price: string }

function priceName(id: AssetId, { assets }: ScenarioChoices): string {
  const name = assets.get(id)?.price ?? guessPrice(id)
  if (name !== null) return name
  throw new AppError({
    code: "simulate.price_missing",
    disposition: "refused",
    message: `What ${id} is worth is not known; give it a price in the scenario: assets.${id}.price, and its start under prices`,
    details: { asset: id },
  })
}

function pricePath(name: string, { prices }: ScenarioChoices): PricePath {
  const chosen = prices.get(name)
  const habit = COINS[name]
  const startFiat = chosen?.startFiat ?? habit?.startFiat
  if (startFiat === undefined) {
    throw new AppError({
      code: "simulate.price_missing",
      disposition: "refused",
      message: `The price "${name}" has no start; give it one in the scenario: prices.${name}.start`,
      details: { price: name },
    })
  }
  return {
    name,
    driftPpm: chosen?.driftPpm ?? 0n,
    volatilityPpm: chosen?.volatilityPpm ?? habit?.volatilityPpm ?? 0n,
    startFiat,
  }
}

function chainOfScenario(
  chain: ChainId,
  assets: readonly Asset[],
  facts: readonly ChainFacts[],
  choices: ScenarioChoices,
): ScenarioChain {
  const fact = facts.find((one) => one.chain === chain)
  assert(fact !== undefined, "every asset has its chain", { chain })
  const chosen = choices.chains.get(chain)
  const habit = FEES[fact.evmChainId === 1 || fact.evmChainId === 11155111 ? "ethereum" : fact.family]
  return {
    chain,
    coin: nativeOf(chain, assets),
    depositFeeUnits: chosen?.depositFeeUnits ?? habit.depositFeeUnits,
    refundFeeUnits: chosen?.refundFeeUnits ?? habit.refundFeeUnits,
    worstFactor: 3n,
    takesRefundFeeOut: fact.family === "bitcoin",
  }
}

function coinAsset(
  chain: ChainId,
  coin: AssetId,
  facts: readonly ChainFacts[],
  { chains }: ScenarioChoices,
): Named & { readonly startUnits?: bigint } {
  const family = facts.find((one) => one.chain === chain)?.family ?? "evm"
  const { decimals, price } = NATIVE_DECIMALS[family]
  const gasUnits = chains.get(chain)?.gasUnits
  return { id: coin, decimals, price, ...(gasUnits === undefined ? {} : { startUnits: gasUnits }) }
}

/** Of a coin that only pays fees: so many deposits' worth. */
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
  const band = bandOf(rules, id)
  if (band) return band.targetUnits
  const coin = chains.find((chain) => chain.coin === id)
  if (coin && !configured.some((asset) => asset.id === id)) return coin.depositFeeUnits * GAS_DEPOSITS
  const weight = rules
    .flatMap((rule) => (rule.kind === "weights" ? rule.weights : []))
    .find(({ asset }) => asset === id)
  const share = weight === undefined ? 10_000n : weight.bps * 3n
  const fiat = fiatOf(price)
  return fiat === 0n ? 0n : (worth * share * 10n ** BigInt(decimals)) / (fiat * 10_000n)
}

const LEAST_WORTH_FIAT = 100_000_000_000n

/** What each asset without a band begins with: five times the largest band target, and at least 100 000. */
function startingWorth(
  rules: readonly TimedRule[],
  assets: readonly Named[],
  fiatOf: (name: string) => bigint,
): bigint {
  const targets = assets.flatMap(({ id, decimals, price }) => {
    const band = bandOf(rules, id)
    return band ? [(band.targetUnits * fiatOf(price)) / 10n ** BigInt(decimals)] : []
  })
  return targets.map((fiat) => fiat * 5n).reduce((most, fiat) => (fiat > most ? fiat : most), LEAST_WORTH_FIAT)
}

/** An asset with a band breathes: in a day, by a tenth of the band's width either way. The others rest. */
function flowOf(rules: readonly TimedRule[], id: AssetId): Pick<ScenarioAsset, "driftUnits" | "volatilityUnits"> {
  const band = bandOf(rules, id)
  return { driftUnits: 0n, volatilityUnits: band ? (band.maxUnits - band.minUnits) / 10n : 0n }
}

function bandOf(rules: readonly TimedRule[], id: AssetId): Extract<StandingRule, { kind: "band" }> | null {
  for (const rule of rules) if (rule.kind === "band" && rule.asset === id && rule.enabled !== false) return rule
  return null
}

function unique<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return items.filter(({ id }, index) => items.findIndex((other) => other.id === id) === index)
}

/** Without the keys that are there and undefined, which would hide a default. */
function definedOf<T extends object>(value: T | undefined): Partial<T> {
  if (value === undefined) return {}
  // CAST: only keys of T are left.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>
}
