import { ACCOUNTS } from "#books/accounts.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { riskOfRoute } from "#domain/order-cost.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { Need } from "#policy/need.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import { FEE_MEMORY_MS, hourlyFees } from "#policy/schedule/fee-timing.ts"
import {
  type AssetView,
  findAsset,
  liquidUnits,
  type PairView,
  readPrice,
  type TreasuryView,
} from "#policy/treasury-view.ts"
import { fiatOfValue, unitsOfValue, VALUE_PER_FIAT, valueOfUnits } from "#policy/value.ts"
import { type FeeUse, measureFeeUse } from "#policy/values/fee-use.ts"
import { type DayFlow, FORECAST_DAYS, startOfDay, sumDays } from "#policy/values/forecast-flow.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger, PostingRow } from "#ports/journal/ledger.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import {
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type HasPrices,
  type HasServices,
  nativeAssetOf,
  type Remembering,
} from "../../context.ts"
import { reasonOf } from "../../orders/observe/job.ts"
import { readPayoutFee } from "../../orders/pay/payout-fee.ts"
import { feeSeries, type KnownFees, readWaitsUntil } from "../decide/fee-waits.ts"
import type { ViewPort, WantedPair } from "../decide/view-due-rules.ts"
import { NO_QUOTE } from "../offer.ts"
import { readRisk } from "../read-risk.ts"
import { findUnquoted, withUnquoted } from "./find-unquoted.ts"
import { type CoinPrice, type NetworkFees, toNetworkFees } from "./network-fees.ts"
import { toPairCosts } from "./pair-costs.ts"
import type { PairQuotes, QuoteReader } from "./pair-quotes.ts"
import { readBalance } from "./read-balance.ts"
import { priceInQuotes, quoteForPrice, readReferencePrice } from "./view-prices.ts"

/** The reads of a view, from the nodes, the price sources and the services. */
export function viewPortOf(
  context: HasJournal<
    FlagStore & OrderStore & OrderSums & Pick<Ledger, "listLastPostings" | "listSamples">
  > &
    HasPrices &
    HasChains &
    HasServices &
    Configured &
    Clocked &
    Remembering,
  reader: QuoteReader,
): ViewPort {
  return {
    addAssets: (view, ids) => addAssets(context, view, ids),
    addPrices: (view, ids, mayAsk) => addPrices(context, reader, view, ids, mayAsk),
    addPairs: (view, pairs, limits) => addPairs(context, reader, view, { pairs, limits }),
    sumCorrections: (of) => context.journal.sumCorrections(of),
    readFlows: (asset, today) => readFlows(context, asset, today),
    readFees: (asset) => readFees(context, asset),
    readFeeUse: (coin, today) => readFeeUse(context, coin, today),
    waitsUntilMs: (rule) => readWaitsUntil(context.journal, rule),
    holdings: context.memory.holdings,
    now: () => context.clock.now(),
  }
}

/** The more of them there are, the fewer days they tell of: a forecast needs two weeks. */
const MOST_CHANGES = 10_000

function readFlows(
  { journal }: HasJournal<Pick<Ledger, "listLastPostings">>,
  id: AssetId,
  today: number,
): DayFlow[] {
  const changes = [ACCOUNTS.outside, ACCOUNTS.unexplained].flatMap((prefix) =>
    listPostings({ journal }, id, { prefix, today, ofOrders: false }),
  )
  // What comes to a wallet leaves the other account.
  return sumDays(
    changes.map(({ atMs, units }) => ({ atMs, units: -units })),
    today,
  )
}

function listPostings(
  { journal }: HasJournal<Pick<Ledger, "listLastPostings">>,
  id: AssetId,
  { today, ...of }: { readonly prefix: string; readonly today: number; ofOrders?: boolean },
): PostingRow[] {
  const fromMs = startOfDay(today - FORECAST_DAYS)
  const all = journal.listLastPostings({ ...of, fromMs, limit: MOST_CHANGES })
  return all.filter(({ asset }) => asset === id)
}

async function readFeeUse(
  {
    chains,
    journal,
    settings,
  }: HasJournal<Pick<Ledger, "listLastPostings">> & HasChains & Configured,
  coin: AssetId,
  today: number,
): Promise<FeeUse | null> {
  const chain = chains.get(chainOf(coin))
  const asset = settings.assets.get(coin)
  if (!chain || !asset || !isNativeAsset(asset, chain.traits.nativeCoin)) return null
  const paid = listPostings({ journal }, coin, { prefix: ACCOUNTS.networkPrefix, today })
  const budget = await orNull(() => chain.estimateFees(coin))
  return budget === null
    ? null
    : measureFeeUse(sumDays(paid, today), budget.depositUnits + budget.refundUnits)
}

/** What cannot be read now is not known. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function readFees(
  { chains, journal, clock }: HasJournal<Pick<Ledger, "listSamples">> & HasChains & Clocked,
  asset: AssetId,
): Promise<KnownFees | null> {
  const nowMs = clock.now()
  const lately = hourlyFees(journal.listSamples(feeSeries(asset), nowMs - FEE_MEMORY_MS), nowMs)
  const chain = chains.get(chainOf(asset))
  if (chain === undefined || lately.length === 0) return null
  // Nothing waits for an unknown fee, and admission reads it again.
  const fees = await orNull(() => chain.estimateFees(asset))
  return fees === null ? null : { fee: fees.depositUnits, lately: [...lately, fees.depositUnits] }
}

async function addAssets(
  context: HasJournal<OrderStore & OrderSums> & HasChains & Configured & Clocked & Remembering,
  view: TreasuryView,
  ids: readonly AssetId[],
): Promise<TreasuryView> {
  const missing = [...new Set(ids)].filter((id) => findAsset(view, id) === null)
  const added = await Promise.all(
    missing.flatMap((id) => {
      const asset = context.settings.assets.get(id)
      return asset === undefined ? [] : [readAsset(context, id, asset.decimals)]
    }),
  )
  return { ...view, assets: [...view.assets, ...added] }
}

async function readAsset(
  context: HasJournal<OrderStore & OrderSums> & HasChains & Configured & Clocked & Remembering,
  id: AssetId,
  decimals: number,
): Promise<AssetView> {
  return { id, decimals, balance: await readBalance(context, id), priceFiat: null }
}

/**
 * Uses the reference price when a source is configured, and otherwise a recent quote. With `mayAsk`
 * it fetches one quote for a missing price.
 */
async function addPrices(
  context: HasPrices & Configured & Clocked,
  reader: QuoteReader,
  view: TreasuryView,
  ids: readonly AssetId[],
  mayAsk: boolean,
): Promise<TreasuryView> {
  const wanted = view.assets.filter(({ id, priceFiat }) => ids.includes(id) && priceFiat === null)
  const references = new Map(
    await Promise.all(
      wanted.map(async ({ id }) => [id, await readReferencePrice(context, id)] as const),
    ),
  )
  let priced = view
  for (const asset of wanted) {
    const known = references.get(asset.id) ?? priceInQuotes(reader.recall(), asset)
    const cause =
      known === null && mayAsk
        ? await quoteForPrice(reader, asset, partnersOf(context, priced))
        : null
    const price =
      known ?? priceInQuotes(reader.recall(), asset) ?? (cause === null ? null : { missing: cause })
    if (price !== null)
      priced = withPrice(priced, asset.id, price, (references.get(asset.id) ?? null) !== null)
  }
  return priced
}

type Price = NonNullable<ReturnType<typeof priceInQuotes>>

function withPrice(
  view: TreasuryView,
  id: AssetId,
  price: Price,
  isReference = false,
): TreasuryView {
  const assets = view.assets.map((asset) => {
    if (asset.id !== id) return asset
    if (!("fiat" in price)) return { ...asset, priceCause: price.missing }
    const parts = price.parts === undefined ? {} : { priceParts: price.parts }
    return { ...asset, priceFiat: price.fiat, ...parts, ...(isReference ? { isReference } : {}) }
  })
  return { ...view, assets }
}

/**
 * The candidates for the other side of a quote: the assets in the view first, then any configured
 * asset.
 */
function partnersOf({ settings }: Configured, { assets }: TreasuryView): AssetView[] {
  const unread = {
    readable: false as const,
    cause: { code: "policy.asset_unknown", message: "Not read" },
  }
  const others = [...settings.assets.values()].filter(
    ({ id }) => !assets.some((asset) => asset.id === id),
  )
  return [
    ...assets,
    ...others.map(({ id, decimals }) => ({ id, decimals, balance: unread, priceFiat: null })),
  ]
}

async function addPairs(
  context: HasJournal<FlagStore & OrderSums> &
    HasPrices &
    HasChains &
    HasServices &
    Configured &
    Clocked &
    Remembering,
  reader: QuoteReader,
  view: TreasuryView,
  { pairs, limits }: { pairs: readonly WantedPair[]; limits: PlanLimits },
): Promise<TreasuryView> {
  // All quotes come first, because a quote can also contain a price that another asset lacks.
  const answers = await mapSome(pairs, async (one) => ({
    ...one,
    answer: await askPair(reader, view, one, limits),
  }))
  const unpriced = view.assets.filter(
    ({ priceFiat, priceCause }) => priceFiat === null && priceCause === undefined,
  )
  const priced = unpriced.reduce((so, asset) => {
    const price = priceInQuotes(reader.recall(), asset)
    return price === null ? so : withPrice(so, asset.id, price)
  }, view)
  const added = await Promise.all(
    answers.map(async ({ from, to, answer }): Promise<readonly PairView[]> => {
      const source = findAsset(priced, from)
      const sink = findAsset(priced, to)
      if (source === null || sink === null) return [{ from, to, quote: NOT_CONFIGURED }]
      if ("unusable" in answer)
        return [{ from, to, quote: { readable: false, cause: answer.unusable } }]
      const payoutFee = await readPayoutFeeOf(context, to)
      if ("cause" in payoutFee) return [{ from, to, quote: { readable: false, ...payoutFee } }]
      const policy = context.settings.policyFor(from, to)
      const fees = { ...(await readNetworkFees(context, priced, { from }, policy)), ...payoutFee }
      const toleranceBps = toleranceOf(context, source, sink)
      const risk = readRisk(context, { from, to }, policy)
      const lines = await Promise.all(
        splitByKind(answer).map(async ({ kind, ...line }): Promise<PairView> => {
          const basis = { ...fees, risk, toleranceBps }
          if (kind === undefined) return { from, to, quote: toPairCosts(line, source, sink, basis) }
          const own = await readRouteFees(context, priced, { from, to, kind }, line.quotes)
          const bounds = boundsOf(context, kind, line.quotes)
          const times = line.quotes.map(({ estimatedSeconds }) => estimatedSeconds ?? 0)
          const time = { estimatedSeconds: Math.max(0, ...times) || null }
          const costs = { ...basis, ...own, risk: riskOfRoute(time, policy) }
          const quote = toPairCosts({ ...line, bounds }, source, sink, costs)
          return { from, to, kind, ownOnly: true, quote }
        }),
      )
      return tellUnquoted(lines, findUnquoted(context, { from, to }, lines))
    }),
  )
  return { ...priced, pairs: [...priced.pairs, ...added.flat()] }
}

/** On the first line of the pair. */
function tellUnquoted(
  [first, ...others]: readonly PairView[],
  unquoted: ReturnType<typeof findUnquoted>,
): readonly PairView[] {
  if (first === undefined || unquoted.length === 0) return first ? [first, ...others] : []
  const { quote } = first
  if (quote.readable || quote.cause.code !== NO_QUOTE.code)
    return [{ ...first, unquoted }, ...others]
  return [{ ...first, quote: { ...quote, cause: withUnquoted(quote.cause, unquoted) }, unquoted }]
}

type KindQuotes = PairQuotes & { readonly kind?: RouteKind }

/** One line for each kind that quotes. The bounds are those that a service stated. */
function splitByKind(answer: PairQuotes): readonly KindQuotes[] {
  const kinds = [...new Set(answer.quotes.map(({ kind }) => kind))]
  if (kinds.length === 0) return [answer]
  return kinds.map((kind) => {
    const quotes = answer.quotes.filter((quote) => quote.kind === kind)
    return kind === undefined ? { ...answer, quotes } : { ...answer, quotes, kind, bounds: null }
  })
}

/** What the limit of the route still leaves, at the value of its own quotes; `null`: no limit. */
function boundsOf(
  { journal, settings }: HasJournal<OrderSums> & Configured,
  kind: RouteKind,
  [quote]: PairQuotes["quotes"],
): PairQuotes["bounds"] {
  const most = settings.limits.maxRouteFiat?.[kind]
  if (most === undefined || quote === undefined || !quote.sourceFiat) return null
  const leftFiat = most - journal.sumFiatWith(kind, null)
  const maxUnits = leftFiat > 0n ? (leftFiat * quote.sourceUnits) / quote.sourceFiat : 0n
  return { minUnits: 0n, maxUnits }
}

/**
 * A route has no relay and no refund; our own redemption has a fee on the other chain. Zero where
 * the price of a coin is not known.
 */
async function readRouteFees(
  context: HasPrices & HasChains & Configured & Clocked,
  view: TreasuryView,
  { from, to, kind }: Pick<PairView, "from" | "to"> & { readonly kind: RouteKind },
  quotes: readonly Quote[],
): Promise<NetworkFees> {
  const [deposit, coin] = await Promise.all([
    readNetworkFees(context, view, { from, kind }, { way: "onchain" }),
    readCoinPrice(context, view, chainOf(to)),
  ])
  const units = quotes.reduce((most, { redeemFeeUnits: fee = 0n }) => (fee > most ? fee : most), 0n)
  const redeemFiat =
    coin === null ? 0n : fiatOfValue(valueOfUnits(coin.asset, coin.fiat, units), "up")
  const networkFeeFiat = deposit.networkFeeFiat + redeemFiat
  return { networkFeeFiat, refundFeeFiat: 0n, windowFeesFiat: 0n }
}

/**
 * Runs a few requests at a time. The service client limits its rate, and a request that waits in
 * its queue must not time out as silent.
 */
async function mapSome<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(map))))
  }
  return results
}

const AT_ONCE = 4

const NOT_CONFIGURED: PairView["quote"] = {
  readable: false,
  cause: { code: "policy.asset_unknown", message: "The asset is not in the view" },
}

type PairAnswer =
  | Awaited<ReturnType<QuoteReader["read"]>>
  | { readonly unusable: { code: string; message: string } }

async function askPair(
  reader: QuoteReader,
  view: TreasuryView,
  wanted: WantedPair,
  limits: PlanLimits,
): Promise<PairAnswer> {
  const amounts = amountsToQuote(view, wanted, limits)
  if ("unusable" in amounts) return amounts
  return reader.read(
    wanted.from,
    wanted.to,
    amounts.units,
    wanted.amounts.length > 0 ? "exact" : "line",
  )
}

/**
 * Two amounts around the expected sale, smallest first, which show the fixed cost and the share. An
 * occurrence sells its amount as a whole, so that very amount is quoted. A backtest quotes the same
 * amounts.
 */
export function amountsToQuote(
  view: TreasuryView,
  { from, need, amounts }: WantedPair,
  limits: PlanLimits,
): { readonly units: readonly bigint[] } | Extract<PairAnswer, { readonly unusable: unknown }> {
  const source = findAsset(view, from)
  if (source === null || !source.balance.readable) {
    return {
      unusable: {
        code: "policy.view_incomplete",
        message: `The balance of ${from} cannot be read`,
      },
    }
  }
  const liquid = liquidUnits(source.balance)
  if (liquid === 0n) {
    return {
      unusable: {
        code: "policy.illiquid",
        message: `${from} has nothing liquid, so no quote was asked for`,
      },
    }
  }
  const sold = [...new Set(amounts)].sort((a, b) => (a < b ? -1 : 1))
  if (sold.length > 1) return { units: sold }
  const large =
    sold[0] ?? smallest(liquid, wantedUnits(view, source, need), limitUnits(source, limits))
  const small = large / 4n
  return { units: small > 0n ? [small, large] : [large] }
}

/**
 * The need with its growth, in units of the source plus one percent for costs; `null` when a price
 * is missing.
 */
function wantedUnits(view: TreasuryView, source: AssetView, need: Need | null): bigint | null {
  if (need === null) return null
  const units = largest(need.wantUnits, need.way?.toTargetUnits)
  if (need.kind === "lose") return units
  const gaining = findAsset(view, need.asset)
  if (gaining === null) return null
  const price = readPrice(gaining)
  const sourcePrice = readPrice(source)
  if (!price.ok || !sourcePrice.ok) return null
  const value = valueOfUnits(gaining, price.priceFiat, units)
  return unitsOfValue(source, sourcePrice.priceFiat, (value * 101n) / 100n, "up")
}

function limitUnits(source: AssetView, { maxOrder }: PlanLimits): bigint | null {
  if (maxOrder === null) return null
  if (maxOrder.kind === "units") return maxOrder.byAsset[source.id] ?? null
  const price = readPrice(source)
  return price.ok
    ? unitsOfValue(source, price.priceFiat, maxOrder.fiat * VALUE_PER_FIAT, "down")
    : null
}

function largest(first: bigint, second = 0n): bigint {
  return first > second ? first : second
}

function smallest(first: bigint, ...others: readonly (bigint | null)[]): bigint {
  const least = others.reduce<bigint>((a, b) => (b === null || a < b ? a : b), first)
  return least > 0n ? least : 1n
}

/**
 * The tolerance of admission for costs by reference prices; `null` where one of the two prices is
 * not a reference price.
 */
function toleranceOf(
  { prices, settings }: HasPrices & Configured,
  from: AssetView,
  to: AssetView,
): bigint | null {
  if (!from.isReference || !to.isReference) return null
  return prices.findPeg?.(from.id, to.id)?.toleranceBps ?? settings.priceToleranceBps
}

const NO_FEES: NetworkFees = { networkFeeFiat: 0n, refundFeeFiat: 0n }

/** What the redeemer's own network fee may take from a payout; a failed read is its cause. */
async function readPayoutFeeOf(
  context: HasChains & Clocked & Remembering,
  to: AssetId,
): Promise<{ readonly payoutFeeUnits: bigint } | { readonly cause: Reason }> {
  try {
    return { payoutFeeUnits: await readPayoutFee(context, to) }
  } catch (error) {
    if (error instanceof AppError) return { cause: reasonOf(error) }
    throw error
  }
}

/**
 * The network fees of a deposit and of a refund in fiat, as admission counts them; zero when the
 * fee or the coin has no known price. A relay may pay them, and then only windows of fees count
 * them.
 */
async function readNetworkFees(
  context: HasPrices & HasChains & Configured & Clocked,
  view: TreasuryView,
  { from, kind }: { readonly from: AssetId; readonly kind?: RouteKind },
  policy: Pick<OrderPolicy, "way">,
): Promise<NetworkFees> {
  const chain = context.chains.get(chainOf(from))
  if (!chain) return NO_FEES
  const price = await readCoinPrice(context, view, chain.chain)
  if (price === null) return NO_FEES
  try {
    const budget = await chain.estimateFees(from, kind)
    return toNetworkFees(budget, price, policy)
  } catch (error) {
    // The fee only ranks plans; admission checks whether the wallet can pay it.
    if (error instanceof AppError) return NO_FEES
    throw error
  }
}

/**
 * The price of the coin that pays the chain's fees. The view has it only where a rule watches the
 * coin or swaps it.
 */
async function readCoinPrice(
  context: HasPrices & HasChains & Configured & Clocked,
  view: TreasuryView,
  chain: ChainId,
): Promise<CoinPrice | null> {
  const coin = nativeAssetOf(context, chain)
  if (coin === null) return null
  const known = findAsset(view, coin.id)
  const price = known === null ? null : readPrice(known)
  if (known !== null && price?.ok) return { asset: known, fiat: price.priceFiat }
  const read = await readReferencePrice(context, coin.id)
  if (read === null || !("fiat" in read) || read.fiat === 0n) return null
  return { asset: { decimals: coin.decimals }, fiat: read.fiat }
}
