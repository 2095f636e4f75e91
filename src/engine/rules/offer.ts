import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { FeeBudget, OrderPolicy, OrderValue } from "#domain/order.ts"
import { lockedFiat, riskOfRoute } from "#domain/order-cost.ts"
import type { ConsideredQuote, ExactOut, Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf, type RouteKind } from "#domain/route/route-kind.ts"
import { type Candidate, chooseQuote } from "#guards/choose-quote.ts"
import { judgeExactOut } from "#guards/exact-out.ts"
import { admitRoute, admitService, type Limits } from "#guards/limits.ts"
import { judgeOfferCost, type OfferJudgement, type OwnCost } from "#guards/offer.ts"
import { fiatOfUnits, valueOrder } from "#guards/order-value.ts"
import {
  type CostPolicy,
  type Reference,
  type ReferenceSide,
  withoutPayoutFee,
} from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { QuotePrices } from "#order/data.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import {
  type Configured,
  type EngineSettings,
  type HasChains,
  type HasJournal,
  type HasPrices,
  type HasServices,
  nativeAssetOf,
  nativeIdOf,
  type OfferContext,
  quoteSourcesOf,
  type Remembering,
} from "../context.ts"
import { readPayoutFee } from "../orders/pay/payout-fee.ts"
import { type PayoutGas, readPayoutGas } from "../orders/route/payout-gas.ts"
import { type OfferRequest, readQuotes } from "./read-quotes.ts"
import { ownFeesOf } from "./read-risk.ts"

/** The chosen quote, its service, and the reference prices of the same moment. */
export type Offer = {
  readonly quote: Quote
  readonly service: string
  readonly reference: Reference
  /** The most that the redeemer's own network fee may take from the payout. It counts as a cost. */
  readonly payoutFeeUnits: bigint
  /** All quotes that it was chosen from; empty where only one service is configured. */
  readonly considered: readonly ConsideredQuote[]
  /**
   * The reasons against all quotes, if none could be chosen; `quote` is then the best of the
   * refused ones.
   */
  readonly refusals: readonly Reason[]
  /** The exact payout that was asked for. */
  readonly exactOut?: ExactOut
  /** As of a candidate. */
  readonly besideFiat?: bigint
}

/** The reason of an empty answer. */
export const NO_QUOTE: Reason = { code: "quote.none", message: "No solver quotes this pair now" }

/**
 * The best offer of this moment that passes the guards; `null` when no solver quotes the pair.
 * `judgeLimits` gives the reasons of the value limits against one quote; `null` for an order that
 * is accepted already, which no limit stops. Throws the errors of the services' ports.
 */
export async function readOffer(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: OfferRequest,
  policy: OfferPolicy,
  judgeLimits: ((offer: Offer) => readonly Reason[]) | null,
): Promise<Offer | null> {
  const judged = await readJudged(context, request, policy, judgeLimits)
  if (judged === null) return null
  const { offers, cost } = judged
  return quoteSourcesOf(context).size < 2
    ? firstAllowed(context, offers)
    : chooseOffer(context, offers, cost)
}

type OfferPolicy = CostPolicy & Partial<Pick<OrderPolicy, "way" | "capitalBps">>

/** `cost`: the limit that no reference price has judged; `null` where both prices have. */
type Judged = { readonly offers: readonly Offer[]; readonly cost: CostPolicy | null }

/** All offers, with the reasons against each where there are several sources; `null` for none. */
async function readJudged(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: OfferRequest,
  policy: OfferPolicy,
  judgeLimits: ((offer: Offer) => readonly Reason[]) | null,
): Promise<Judged | null> {
  const [quotes, payoutFeeUnits] = await Promise.all([
    readQuotes(context, request),
    readPayoutFee(context, request.to),
  ])
  const [first] = quotes
  if (first === undefined) return null
  const reference = await readReference(context, first.quote)
  const gas = await readGasByKind(context, quotes)
  const offers = quotes.map(
    ({ service, quote }): Offer => ({
      service,
      quote: withPayoutFee(quote, gas.get(quote.kind)),
      reference,
      payoutFeeUnits,
      considered: [],
      refusals: [],
      ...(request.exactOut === undefined ? {} : { exactOut: request.exactOut }),
    }),
  )
  const cost = hasReference(reference) ? null : policy
  if (quoteSourcesOf(context).size < 2) return { offers, cost }
  const payoutCoin = gas.size === 0 ? null : await readPayoutCoin(context, request.to)
  const judged = offers.map((offer): Offer => {
    // The network fees are the same for all offers, so they do not matter for the choice.
    const { refusals } = judgeOffer(context, offer, policy, null)
    const service = judgeService(context, offer)
    const limits =
      judgeLimits === null ? service.filter(isOfSolver) : [...service, ...judgeLimits(offer)]
    const against = [
      ...limits,
      ...judgeWay(policy, offer.quote),
      ...judgePayee(context, request, offer.quote),
    ]
    const missing = gas.get(offer.quote.kind)?.reasons ?? []
    const beside = gas.size === 0 ? {} : { besideFiat: besideOf(offer.quote, policy, payoutCoin) }
    return { ...offer, ...beside, refusals: [...against, ...missing, ...refusals] }
  })
  return { offers: judged, cost }
}

/** Empty where services alone quote. */
async function readGasByKind(
  context: HasChains,
  quotes: readonly { readonly quote: Quote }[],
): Promise<ReadonlyMap<RouteKind | undefined, PayoutGas>> {
  const kinds = new Map(quotes.map(({ quote }) => [quote.kind, quote]))
  kinds.delete(undefined)
  const read = [...kinds].map(async ([kind, quote]) => {
    const gas = await readPayoutGas(context, quote)
    return gas === null ? [] : [[kind, gas] as const]
  })
  return new Map((await Promise.all(read)).flat())
}

function withPayoutFee(quote: Quote, gas: PayoutGas | undefined): Quote {
  return gas === undefined ? quote : { ...quote, redeemFeeUnits: gas.feeUnits }
}

/** The costs by which kinds of routes differ: the fee of the payout, and the time of the money. */
function besideOf(quote: Quote, policy: OfferPolicy, coin: CoinPrice | null): bigint {
  const time = quote.kind === undefined ? { estimatedSeconds: null } : quote
  return redeemFiatOf(quote, coin) + lockedFiat(quote.sourceFiat ?? 0n, riskOfRoute(time, policy))
}

type CoinPrice = { readonly fiat: bigint; readonly decimals: number }

/** A coin without a price has no value, as in the plan. */
function redeemFiatOf({ redeemFeeUnits = 0n }: Quote, coin: CoinPrice | null): bigint {
  return coin === null ? 0n : fiatOfUnits(redeemFeeUnits, coin)
}

/** A route's contracts take our own transaction alone; a service may take a signature. */
function judgeWay({ way }: OfferPolicy, { kind }: Quote): readonly Reason[] {
  if (way !== "gasless" || kind === undefined) return []
  return [{ code: GASLESS, message: `${kind} needs a transaction, and deposits are gasless here` }]
}

const GASLESS = "gasless.unavailable"

/** A route's payout reaches our own wallet alone; a service pays any address. */
function judgePayee(
  { chains }: HasChains,
  { to, destinationOwner: payee }: OfferRequest,
  { kind }: Quote,
): readonly Reason[] {
  if (kind === undefined || payee === undefined) return []
  const wallet = chains.get(chainOf(to))
  if (wallet?.sameAddress(payee, wallet.account) === true) return []
  const message = `${kind} pays our own wallet alone, and this order pays another account`
  return [{ code: "route.payee", message, payee }]
}

/**
 * Both assets have a price source. A source without an answer refuses or defers the order by
 * itself.
 */
function hasReference({ from, to }: Reference): boolean {
  return from !== null && to !== null
}

/** The quote of an offer alone, for callers that need no value limits. */
export async function readBestQuote(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: OfferRequest,
): Promise<Quote | null> {
  if (quoteSourcesOf(context).size < 2)
    return (await readQuotes(context, request))[0]?.quote ?? null
  const offer = await readOffer(
    context,
    request,
    context.settings.policyFor(request.from, request.to),
    () => [],
  )
  return offer?.quote ?? null
}

/** As `readBestQuote`, the best one of each kind of route. */
export async function readBestQuotes(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
  request: OfferRequest,
): Promise<readonly Quote[]> {
  if (context.routes === undefined) {
    const quote = await readBestQuote(context, request)
    return quote === null ? [] : [quote]
  }
  const policy = context.settings.policyFor(request.from, request.to)
  const judged = await readJudged(context, request, policy, () => [])
  if (judged === null) return []
  const { candidates } = chooseQuote(judged.offers, judgedBy(context, judged.cost))
  const usable = candidates.filter(({ refusals }) => !refusals.some(({ code }) => code === GASLESS))
  const kinds = [...new Set(usable.map(({ quote }) => kindOf(quote)))]
  return kinds.flatMap(
    (kind) => bestOf(usable.filter(({ quote }) => kindOf(quote) === kind))?.quote ?? [],
  )
}

/** The settings by which offers are valued and judged. */
type OfferSettings = {
  readonly settings: Pick<EngineSettings, "assets" | "priceToleranceBps">
}

/**
 * Judges the offer by the policy of its order and the settings of this engine. `own`: the costs
 * beside the quote, once they are known.
 */
export function judgeOffer(
  context: OfferSettings,
  offer: Offer,
  policy: CostPolicy,
  own: OwnCost,
): OfferJudgement {
  const { priceToleranceBps: toleranceBps } = context.settings
  const { reference, refusals, exactOut } = offer
  const quote = withoutPayoutFee(offer.quote, offer.payoutFeeUnits)
  const basis = { decimals: decimalsOfPair(context, quote), toleranceBps, own }
  const judgement = judgeOfferCost(quote, reference, policy, basis)
  if (refusals.length > 0) return { ...judgement, refusals }
  const inexact = exactOut === undefined ? [] : judgeExactOut(exactOut, offer.quote)
  return { ...judgement, refusals: [...inexact, ...judgement.refusals] }
}

/**
 * Judges the limits that depend on the service and the solver of the offer. Synchronous, like all
 * counting.
 */
export function judgeService(
  context: HasJournal<OrderSums> & Configured,
  { service, quote }: Pick<Offer, "service" | "quote">,
): Reason[] {
  const inFlight = countWith(context, service)
  return admitService({ service, solver: quote.solverId }, inFlight, context.settings.limits)
}

/** Judges what the order would add to the money in the hands of its route's issuer. */
export function judgeRoute(
  { journal, settings }: HasJournal<OrderSums> & Configured,
  { service, quote }: Pick<Offer, "service" | "quote">,
  exceptOrder: string | null,
): Reason[] {
  const inFlightFiat = journal.sumFiatWith(service, exceptOrder)
  const { sourceFiat } = quote
  return admitRoute({ kind: kindOf(quote), sourceFiat }, inFlightFiat, settings.limits)
}

/**
 * The costs of an order beside its quote, with the coin of its source chain; `null` for an order
 * without a risk, whose ceilings count the quote alone.
 */
export function ownCostOf(
  coinOf: (chain: ChainId) => Pick<Asset, "decimals"> | null,
  {
    policy,
    feeBudget = null,
    quote,
    prices: { native, payoutCoin = null },
  }: {
    readonly policy: Pick<OrderPolicy, "way" | "risk" | "capitalBps">
    readonly feeBudget?: FeeBudget | null
    readonly quote: Quote
    readonly prices: Pick<QuotePrices, "native" | "payoutCoin">
  },
): OwnCost {
  if (policy.risk === undefined) return null
  const priceOf = (asset: AssetId, fiat: bigint | null): CoinPrice | null => {
    const decimals = coinOf(chainOf(asset))?.decimals
    return fiat === null || decimals === undefined ? null : { fiat, decimals }
  }
  const price = priceOf(quote.from, native)
  if (quote.kind === undefined)
    return { fees: ownFeesOf(policy, feeBudget, price), risk: policy.risk }
  const { depositFiat } = ownFeesOf({ way: "onchain" }, feeBudget, price)
  const redeemFiat = redeemFiatOf(quote, priceOf(quote.to, payoutCoin))
  const fees = { depositFiat, refundFiat: 0n, redeemFiat }
  return { fees, risk: riskOfRoute(quote, policy) }
}

/** The parts of the offer that the order keeps. */
export function acceptOffer({ quote, service, payoutFeeUnits, considered }: Offer) {
  return {
    type: "quote.accepted",
    quote,
    service,
    payoutFeeUnits,
    ...(considered.length === 0 ? {} : { considered }),
  } as const
}

/** With one service its best quote of an allowed solver is the offer. The caller judges it. */
function firstAllowed(
  context: HasJournal<OrderSums> & Configured,
  offers: readonly Offer[],
): Offer | null {
  const isAllowed = (offer: Offer): boolean => !judgeService(context, offer).some(isOfSolver)
  return offers.find(isAllowed) ?? offers[0] ?? null
}

function isOfSolver({ code }: Reason): boolean {
  return code === "limit.solver"
}

function chooseOffer(
  context: Configured,
  offers: readonly Offer[],
  cost: CostPolicy | null,
): Offer | null {
  const { chosen, candidates } = chooseQuote(offers, judgedBy(context, cost))
  const considered = candidates.slice(0, MOST_CONSIDERED).map(toConsidered)
  const best = bestOf(candidates)
  const offer = offers.find(({ quote }) => quote === best?.quote)
  if (offer === undefined) return null
  const named = candidates.flatMap(({ service, refusals }) =>
    refusals.map((reason) => ({ ...reason, service })),
  )
  return { ...offer, considered, refusals: chosen === null ? named : [] }
}

function judgedBy({ settings }: Configured, cost: CostPolicy | null) {
  const { maxGainBps = DEFAULT_MAX_GAIN_BPS } = settings.limits
  return { maxGainBps, cost }
}

/** Of the judged quotes, best first: the first one without refusals, or that is not too good. */
function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return (
    candidates.find(({ refusals }) => refusals.length === 0) ??
    candidates.find(({ refusals }) => !refusals.some(isTooGood)) ??
    candidates[0]
  )
}

const DEFAULT_MAX_GAIN_BPS = 100n
/** An order keeps this many of the quotes that it was chosen from, for people. */
const MOST_CONSIDERED = 20

function isTooGood({ code }: Reason): boolean {
  return code === "quote.too_good"
}

function toConsidered({ service, quote, refusals }: Candidate): ConsideredQuote {
  return {
    service,
    solverId: quote.solverId,
    destinationUnits: quote.destinationUnits,
    reasons: refusals,
  }
}

/** The value with which limits count an order at this offer. */
export function valueOffer(
  context: OfferSettings,
  { quote, reference, payoutFeeUnits }: Pick<Offer, "quote" | "reference" | "payoutFeeUnits">,
): OrderValue {
  return valueOrder(
    withoutPayoutFee(quote, payoutFeeUnits),
    reference,
    decimalsOfPair(context, quote),
  )
}

/**
 * The offer's prices and the price of the coin in which the source chain takes its fees, for the
 * books. A missing price stays `null`.
 */
export async function readOfferPrices(
  context: HasPrices & HasChains & Configured,
  { quote, reference }: Offer,
): Promise<QuotePrices> {
  const { from, to, native } = reference
  const coin = nativeIdOf(context, chainOf(quote.from))
  const known = native?.price ?? (coin === quote.from ? from : coin === quote.to ? to : null)
  const [fees, payoutCoin] = await Promise.all([
    known ?? readSide(context, coin),
    readPayoutCoinFiat(context, quote),
  ])
  const decimals = nativeAssetOf(context, chainOf(quote.from))?.decimals
  const outliers = [...outliersOf(quote.from, from), ...outliersOf(quote.to, to)]
  return {
    from: fiatOf(from),
    to: fiatOf(to),
    native: fiatOf(fees),
    ...payoutCoin,
    ...(decimals === undefined ? {} : { nativeDecimals: decimals }),
    ...(outliers.length === 0 ? {} : { outliers }),
  }
}

function outliersOf(
  asset: AssetId,
  side: ReferenceSide,
): readonly NonNullable<QuotePrices["outliers"]>[number][] {
  const found = side === null || "missing" in side ? [] : (side.outliers ?? [])
  return found.map((outlier) => ({ asset, ...outlier }))
}

/**
 * A redemption of our own compares its fee with the payout, and that of a route is a cost. A payout
 * in the chain's own coin needs no price for the first.
 */
async function readPayoutCoinFiat(
  context: HasPrices & HasChains & Configured,
  { to, kind }: Quote,
): Promise<Pick<QuotePrices, "payoutCoin" | "payoutDecimals">> {
  const isCoin = nativeIdOf(context, chainOf(to)) === to
  if (kind === undefined && (context.settings.ownSecrets?.keeper == null || isCoin)) return {}
  const payoutCoin = fiatOf(await readSide(context, nativeIdOf(context, chainOf(to))))
  const decimals = nativeAssetOf(context, chainOf(to))?.decimals
  return decimals === undefined ? { payoutCoin } : { payoutCoin, payoutDecimals: decimals }
}

/** The coin that pays fees on the asset's chain, with its price now. */
async function readPayoutCoin(
  context: HasPrices & HasChains & Configured,
  asset: AssetId,
): Promise<CoinPrice | null> {
  const coin = nativeAssetOf(context, chainOf(asset))
  const fiat = coin === null ? null : fiatOf(await readSide(context, coin.id))
  return coin === null || fiat === null ? null : { fiat, decimals: coin.decimals }
}

/** A price that cannot be read is a value here, because the guard turns it into a reason. */
async function readReference(
  context: HasPrices & HasChains & Configured,
  { from, to }: Quote,
): Promise<Reference> {
  const native = feeCoinOf(context, from)
  const [source, destination, coin] = await Promise.all([
    readSide(context, from),
    readSide(context, to),
    native === null ? null : readSide(context, native.id),
  ])
  return {
    from: source,
    to: destination,
    peg: context.prices.findPeg?.(from, to) ?? null,
    native: native === null ? null : { asset: native.id, decimals: native.decimals, price: coin },
  }
}

/**
 * The coin that pays network fees on the asset's chain; `null` when it is not configured, or when
 * no limit counts fees.
 */
function feeCoinOf(context: HasChains & Configured, from: AssetId): Asset | null {
  return feeCoinAmong(context.settings.limits, nativeAssetOf(context, chainOf(from)))
}

/** The coin that pays network fees, where a limit counts them. */
export function feeCoinAmong(
  { windows }: Pick<Limits, "windows">,
  coin: Asset | null,
): Asset | null {
  return windows.some(({ maxFeesFiat }) => maxFeesFiat !== null) ? coin : null
}

/**
 * What `guards.max_in_flight_per_service` leaves for the orders of all services together; `null`
 * without that limit.
 */
export function countServicesLeft(
  context: HasJournal<OrderSums> & HasServices & Configured,
): number | null {
  const { maxInFlightPerService: most = null } = context.settings.limits
  if (most === null) return null
  return [...quoteSourcesOf(context).keys()].reduce(
    (sum, name) => sum + Math.max(0, most - countWith(context, name)),
    0,
  )
}

export function countWith({ journal }: HasJournal<OrderSums>, service: string): number {
  return journal.countInFlight({ service })
}

function decimalsOfPair(
  { settings }: OfferSettings,
  { from, to }: Quote,
): { from: number; to: number } {
  const decimalsOf = (id: AssetId): number =>
    mustExist(settings.assets.get(id), `the asset ${id}`).decimals
  return { from: decimalsOf(from), to: decimalsOf(to) }
}

function fiatOf(side: ReferenceSide): bigint | null {
  return side === null || "missing" in side ? null : side.fiat
}

async function readSide({ prices }: HasPrices, asset: AssetId): Promise<ReferenceSide> {
  try {
    return await prices.fetchPrice(asset)
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition !== "transient") throw error
    return { missing: error.message, cause: error.code }
  }
}
