import { IN_TRANSIT_PREFIX } from "#books/accounts.ts"
import type { Config } from "#config/config.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import { feeSeries } from "#engine/rules/decide/fee-waits.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { Rule } from "#policy/rules/rule-kind.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { PricePort } from "#ports/prices.ts"
import { noteConfig } from "./past-bands.ts"

type Sources = {
  readonly journal: Journal
  readonly clock: Pick<Clock, "now" | "sleep">
  readonly prices: () => PricePort
  readonly chains: ReadonlyMap<ChainId, Pick<ChainPort, "estimateFees">>
  readonly config: () => Config
  readonly log: Pick<Logger, "warn">
}

/** Until the signal, also while no page is open: history cannot be made up later. */
export type Sampler = { readonly run: (signal: AbortSignal) => Promise<void> }

/** Sources of prices count their callers. */
const EVERY_MS = 5 * 60_000
/** Without a source of our own a price comes with the next order. */
const RETRY_MS = 15_000

const MOST_QUOTES = 50
const QUOTE_AGE_MS = 24 * 3_600_000

/**
 * Keeps what a value in fiat needs as samples in the journal: the price of each asset, and the
 * deposits on their way; and the network fees that rules with `patience` compare. It also notes a
 * configuration and bands that changed before the start.
 */
export function createSampler(sources: Sources): Sampler {
  return {
    run: async (signal) => {
      while (!signal.aborted) {
        const isComplete = await Promise.race([takeOrLog(sources, signal), aborted(signal)])
        await sources.clock.sleep(isComplete ? EVERY_MS : RETRY_MS, signal)
      }
    },
  }
}

/** A plot is no reason to stop: the next try writes the samples. */
async function takeOrLog(sources: Sources, signal: AbortSignal): Promise<boolean> {
  try {
    return await takeSamples(sources, signal)
  } catch (error) {
    sources.log.warn({ err: error }, "No sample of balances and prices could be kept")
    return true
  }
}

function aborted(signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(true), { once: true })
  })
}

/** Whether a later order can add no price. */
async function takeSamples(sources: Sources, signal: AbortSignal): Promise<boolean> {
  const { journal, clock, prices, config } = sources
  const { assets } = config()
  const atMs = clock.now()
  const fees = await Promise.all(listPatientAssets(config()).map((id) => readFee(sources, id)))
  const transit = Map.groupBy(journal.listAccounts(IN_TRANSIT_PREFIX), ({ asset }) => asset)
  const quoted = readQuotedPrices(journal, config(), atMs)
  const found = await Promise.all(
    assets.map(async ({ id }) => {
      const price = await readPrice(prices(), id)
      return { id, price }
    }),
  )
  if (signal.aborted) return true
  noteConfig(journal, config(), atMs)
  for (const { id, fee } of fees)
    if (fee !== null) journal.addSample({ series: feeSeries(id), atMs, value: fee })
  for (const { id, price } of found) {
    const units = (transit.get(id) ?? []).reduce((sum, one) => sum + one.units, 0n)
    journal.addSample({ series: `transit/${id}`, atMs, value: units })
    const value = price === NO_SOURCE ? (quoted.get(id) ?? null) : price
    journal.addSample({ series: `price/${id}`, atMs, value })
  }
  return found.every(({ id, price }) => price !== NO_SOURCE || quoted.has(id))
}

/** The assets whose sales may wait for a lower network fee. */
function listPatientAssets({ rules }: Config): AssetId[] {
  const patient = rules.filter(({ patienceMs = null }: Rule) => patienceMs !== null)
  const sold = patient.flatMap((rule) => {
    const kind = ruleKindOf(rule)
    return kind.patientSales?.(rule) ?? kind.watchedAssets(rule)
  })
  return [...new Set(sold)]
}

async function readFee(
  { chains }: Sources,
  id: AssetId,
): Promise<{ readonly id: AssetId; readonly fee: bigint | null }> {
  try {
    return { id, fee: (await chains.get(chainOf(id))?.estimateFees(id))?.depositUnits ?? null }
  } catch (error) {
    if (error instanceof AppError) return { id, fee: null }
    throw error
  }
}

const NO_SOURCE = "no source"

/** `null`: the sources fail now. */
async function readPrice(
  prices: PricePort,
  asset: AssetId,
): Promise<bigint | typeof NO_SOURCE | null> {
  try {
    return (await prices.fetchPrice(asset))?.fiat ?? NO_SOURCE
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return null
    throw error
  }
}

/**
 * The prices that the newest quotes imply. Only for a configuration that trusts the service: every
 * other one has a source for each asset.
 */
function readQuotedPrices(
  journal: Pick<Journal, "listOrders">,
  { assets, chains }: Pick<Config, "assets" | "chains">,
  nowMs: number,
): ReadonlyMap<AssetId, bigint> {
  const prices = new Map<AssetId, bigint>()
  const decimals = new Map(assets.map((asset) => [asset.id, asset.decimals]))
  const note = (asset: AssetId, fiat: bigint | null, units: bigint): void => {
    const scale = decimals.get(asset)
    if (fiat === null || units <= 0n || scale === undefined || prices.has(asset)) return
    prices.set(asset, (fiat * 10n ** BigInt(scale)) / units)
  }
  for (const { createdAtMs, snapshot } of journal.listOrders({ limit: MOST_QUOTES })) {
    const data = nowMs - createdAtMs > QUOTE_AGE_MS ? null : (decodeOrNull(snapshot)?.data ?? null)
    if (data?.quote == null) continue
    const { from, to, sourceUnits, sourceFiat, destinationUnits, destinationFiat } = data.quote
    note(from, sourceFiat, sourceUnits)
    note(to, destinationFiat, destinationUnits)
    noteCoin(data, chains, note)
  }
  return prices

  function noteCoin({ request, value }: OrderData, all: Config["chains"], add: typeof note): void {
    const chain = all.find((one) => one.chain === chainOf(request.from))
    const price = value?.nativePrice
    if (chain === undefined || price == null) return
    const coin = nativeAssetId(chain.chain, assets, chain.nativeCoin)
    add(coin, price.fiat, 10n ** BigInt(price.decimals))
  }
}
