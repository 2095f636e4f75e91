import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import { PARTS_PER_FIAT } from "#policy/value.ts"
import type { Clocked, HasPrices } from "../../context.ts"
import { reasonOf } from "../../orders/observe/job.ts"
import type { QuoteReader } from "./pair-quotes.ts"
import { withinTime } from "./within-time.ts"

/** `parts`: what the price has beyond its millionths (`priceParts` of the view). */
type Price = { readonly fiat: bigint; readonly parts?: bigint } | { readonly missing: Reason }

/** From this price on, millionths are exact enough. */
const EXACT_FIAT = 10_000n
const WAIT_MS = 8_000

/**
 * The reference price of a whole unit; `null` when no source is configured. A silent source is a
 * reason: the service's price does not replace it.
 */
export async function readReferencePrice(
  { prices, clock }: HasPrices & Clocked,
  asset: AssetId,
): Promise<Price | null> {
  try {
    const price = await withinTime(clock, WAIT_MS, `reading the price of ${asset}`, () =>
      prices.fetchPrice(asset),
    )
    return price === null ? null : { fiat: price.fiat }
  } catch (error) {
    if (error instanceof AppError) return { missing: reasonOf(error) }
    throw error
  }
}

/** The service's own price, from the largest recent quote; `null` without a recent quote. */
export function priceInQuotes(
  quotes: readonly Quote[],
  { id, decimals }: Pick<AssetView, "id" | "decimals">,
): Price | null {
  const sides = quotes.flatMap(
    ({ from, to, sourceUnits, destinationUnits, sourceFiat, destinationFiat }) => [
      ...(from === id && sourceFiat !== null ? [{ units: sourceUnits, fiat: sourceFiat }] : []),
      ...(to === id && destinationFiat !== null
        ? [{ units: destinationUnits, fiat: destinationFiat }]
        : []),
    ],
  )
  const [largest] = sides
    .filter(({ units }) => units > 0n)
    .sort((a, b) => (a.units > b.units ? -1 : 1))
  if (largest === undefined) return null
  const scaled = (largest.fiat * 10n ** BigInt(decimals) * PARTS_PER_FIAT) / largest.units
  const fiat = scaled / PARTS_PER_FIAT
  const parts = scaled % PARTS_PER_FIAT
  if (scaled === 0n) return null
  return fiat < EXACT_FIAT && parts > 0n ? { fiat, parts } : { fiat }
}

/**
 * Fetches one quote that contains the asset's value. The partner is one of `others` on another
 * chain, because there are no swaps within one chain (service interface §1). The asset with a
 * balance is the sold one.
 */
export async function quoteForPrice(
  reader: QuoteReader,
  asset: AssetView,
  others: readonly AssetView[],
): Promise<Reason | null> {
  const partners = others.filter(({ id }) => chainOf(id) !== chainOf(asset.id))
  const [partner] = partners.toSorted((a, b) => Number(holds(b)) - Number(holds(a)))
  if (!partner) {
    const message =
      `No price source is configured for ${asset.id}, and no asset on another chain can serve ` +
      "to request a quote"
    return { code: "policy.quote_missing", message, asset: asset.id }
  }
  const [from, to] = holds(asset) || !holds(partner) ? [asset, partner] : [partner, asset]
  const { cause } = await reader.read(from.id, to.id, [amountOf(from)])
  return cause
}

function holds({ balance }: AssetView): boolean {
  return balance.readable && balance.spendableUnits > 0n
}

/**
 * The balance, or one whole unit. The service states its bounds when the amount is too small or too
 * large.
 */
function amountOf({ balance, decimals }: AssetView): bigint {
  return balance.readable && balance.spendableUnits > 0n
    ? balance.spendableUnits
    : 10n ** BigInt(decimals)
}
