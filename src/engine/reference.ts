import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import type { OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { valueOrder } from "#guards/order-value.ts"
import { type CostPolicy, judgeReference, type Reference, type ReferenceSide } from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { QuotePrices } from "#order/data.ts"
import { type EngineContext, nativeAssetOf, nativeIdOf } from "./context.ts"

/** Both sides' reference prices at this moment. What cannot be read is a value here, because the guard makes a reason of it. */
export async function readReference(context: EngineContext, { from, to }: Quote): Promise<Reference> {
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

/** What an order counts as in limits, at this moment. */
export function valueByReference(context: EngineContext, quote: Quote, reference: Reference): OrderValue {
  return valueOrder(quote, reference, decimalsOfPair(context, quote))
}

/** The coin that network fees of the asset's chain are paid in; `null` where it is not configured, or no limit counts fees. */
function feeCoinOf(context: EngineContext, from: AssetId): Asset | null {
  const countsFees = context.settings.limits.windows.some(({ maxFeesFiat }) => maxFeesFiat !== null)
  return countsFees ? nativeAssetOf(context, chainOf(from)) : null
}

function decimalsOfPair({ settings }: EngineContext, { from, to }: Quote): { from: number; to: number } {
  const decimalsOf = (id: AssetId): number => present(settings.assets.get(id), `the asset ${id}`).decimals
  return { from: decimalsOf(from), to: decimalsOf(to) }
}

/** The guard with the settings of this engine. */
export function judgeByReference(
  context: EngineContext,
  quote: Quote,
  reference: Reference,
  { maxCost, ruleMaxCost = null }: CostPolicy,
): Reason[] {
  if (reference.from === null && reference.to === null) return []
  const decimals = decimalsOfPair(context, quote)
  for (const limit of ruleMaxCost === null ? [maxCost] : [maxCost, ruleMaxCost]) {
    const toleranceBps = context.settings.priceToleranceBps
    const reasons = judgeReference(quote, reference, decimals, { maxCost: limit, toleranceBps })
    if (reasons.length > 0) return reasons
  }
  return []
}

/** The same prices for the books, and that of the coin in which the source chain takes its fees. What is missing stays unknown. */
export async function readQuotePrices(
  context: EngineContext,
  quote: Quote,
  { from, to, native }: Reference,
): Promise<QuotePrices> {
  const coin = nativeIdOf(context, chainOf(quote.from))
  const known = native?.price ?? (coin === quote.from ? from : coin === quote.to ? to : null)
  return { from: fiatOf(from), to: fiatOf(to), native: fiatOf(known ?? (await readSide(context, coin))) }
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
