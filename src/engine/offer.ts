import { type AffiliateFee, sumBps } from "#domain/affiliate-fee.ts"
import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import type { OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { judgeOfferCost, type OfferJudgement } from "#guards/offer.ts"
import { valueOrder } from "#guards/order-value.ts"
import type { CostPolicy, Reference, ReferenceSide } from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { QuotePrices } from "#order/data.ts"
import { type EngineContext, nativeAssetOf, nativeIdOf } from "./context.ts"

/** The best quote of the service and the reference prices of the same moment. */
export type Offer = { readonly quote: Quote; readonly reference: Reference }

/** The amount and the pair that an offer is for. The affiliate fees are part of the price. */
export type OfferRequest = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly affiliateFees: readonly AffiliateFee[]
}

/** The reason of an empty answer. */
export const NO_QUOTE: Reason = { code: "quote.none", message: "No solver quotes this pair now" }

/** The best offer of this moment; `null` when no solver quotes the pair. Throws the errors of the service's port. */
export async function readOffer(context: EngineContext, request: OfferRequest): Promise<Offer | null> {
  const quote = await readBestQuote(context, request)
  return quote === null ? null : { quote, reference: await readReference(context, quote) }
}

/** The quote of an offer alone, for callers that need no reference prices. */
export async function readBestQuote(context: EngineContext, request: OfferRequest): Promise<Quote | null> {
  const { affiliateFees, ...asked } = request
  const [best] = await context.service.fetchQuotes({ ...asked, affiliateBps: sumBps(affiliateFees) })
  return best ?? null
}

/** Judges the offer by the policy of its order and the settings of this engine. */
export function judgeOffer(context: EngineContext, { quote, reference }: Offer, policy: CostPolicy): OfferJudgement {
  const { priceToleranceBps: toleranceBps } = context.settings
  return judgeOfferCost(quote, reference, policy, { decimals: decimalsOfPair(context, quote), toleranceBps })
}

/** The value with which limits count an order at this offer. */
export function valueOffer(context: EngineContext, { quote, reference }: Offer): OrderValue {
  return valueOrder(quote, reference, decimalsOfPair(context, quote))
}

/** The offer's prices and the price of the coin in which the source chain takes its fees, for the books. A missing price stays `null`. */
export async function readOfferPrices(context: EngineContext, { quote, reference }: Offer): Promise<QuotePrices> {
  const { from, to, native } = reference
  const coin = nativeIdOf(context, chainOf(quote.from))
  const known = native?.price ?? (coin === quote.from ? from : coin === quote.to ? to : null)
  return { from: fiatOf(from), to: fiatOf(to), native: fiatOf(known ?? (await readSide(context, coin))) }
}

/** A price that cannot be read is a value here, because the guard turns it into a reason. */
async function readReference(context: EngineContext, { from, to }: Quote): Promise<Reference> {
  const native = feeCoinOf(context, from)
  const [source, destination, coin] = await Promise.all([
    readSide(context, from),
    readSide(context, to),
    native === null ? null : readSide(context, native.id),
  ])
  return {
    from: source,
    to: destination,
    native: native === null ? null : { asset: native.id, decimals: native.decimals, price: coin },
  }
}

/** The coin that pays network fees on the asset's chain; `null` when it is not configured, or when no limit counts fees. */
function feeCoinOf(context: EngineContext, from: AssetId): Asset | null {
  const countsFees = context.settings.limits.windows.some(({ maxFeesFiat }) => maxFeesFiat !== null)
  return countsFees ? nativeAssetOf(context, chainOf(from)) : null
}

function decimalsOfPair({ settings }: EngineContext, { from, to }: Quote): { from: number; to: number } {
  const decimalsOf = (id: AssetId): number => present(settings.assets.get(id), `the asset ${id}`).decimals
  return { from: decimalsOf(from), to: decimalsOf(to) }
}

function fiatOf(side: ReferenceSide): bigint | null {
  return side === null || "missing" in side ? null : side.fiat
}

async function readSide({ prices }: EngineContext, asset: AssetId): Promise<ReferenceSide> {
  try {
    return await prices.fetchPrice(asset)
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition !== "transient") throw error
    return { missing: error.message }
  }
}
