import { basisPoints, FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { CostLimit, OrderPolicy } from "#domain/order.ts"
import type { Peg, ReferencePrice } from "#domain/price.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"

/** The limits on the cost of an order. All of them hold, so the tightest decides. */
export type CostPolicy = Pick<OrderPolicy, "maxCost" | "ruleMaxCost" | "alsoMaxCosts" | "planned">

/** The quote without the part of the payout that the redeemer's own network fee may take. */
export function withoutPayoutFee(quote: Quote, feeUnits: bigint): Quote {
  const { destinationUnits: units, destinationFiat: fiat } = quote
  if (feeUnits <= 0n || units <= 0n) return quote
  const left = units > feeUnits ? units - feeUnits : 0n
  return {
    ...quote,
    destinationUnits: left,
    destinationFiat: fiat === null ? null : (fiat * left) / units,
  }
}

/**
 * Refuses a quote that loses more value from source to destination than allowed. A missing price is
 * a reason, never zero.
 */
export function judgePrice(
  quote: Quote,
  { maxCost, ruleMaxCost = null, alsoMaxCosts = [] }: CostPolicy,
): Reason[] {
  if (quote.destinationUnits <= 0n) {
    return [
      {
        code: "price.zero",
        message: "The quote pays nothing",
        units: quote.destinationUnits.toString(),
      },
    ]
  }
  if (quote.sourceFiat === null || quote.destinationFiat === null || quote.sourceFiat === 0n) {
    return [
      {
        code: "price.missing",
        message: "The quote has no readable value on one side, so its cost is unknown",
      },
    ]
  }
  const { sourceFiat, destinationFiat } = quote
  const limits = ruleMaxCost === null ? [maxCost] : [maxCost, ruleMaxCost]
  const broken = [...limits, ...alsoMaxCosts].find((limit) =>
    isDearer(sourceFiat, destinationFiat, limit),
  )
  return broken === undefined ? [] : [tooDear(sourceFiat, destinationFiat, broken)]
}

export function isDearer(sourceFiat: bigint, destinationFiat: bigint, limit: CostLimit): boolean {
  const lostFiat = sourceFiat - destinationFiat
  return limit.kind === "share"
    ? basisPoints(lostFiat, sourceFiat) > limit.bps
    : lostFiat > limit.fiat
}

function tooDear(sourceFiat: bigint, destinationFiat: bigint, limit: CostLimit): Reason {
  const lostFiat = sourceFiat - destinationFiat
  const max = limit.kind === "share" ? `${limit.bps} bps` : formatUnits(limit.fiat, FIAT_DECIMALS)
  const cost =
    limit.kind === "share"
      ? `${basisPoints(lostFiat, sourceFiat)} bps`
      : formatUnits(lostFiat, FIAT_DECIMALS)
  return {
    code: "price.cost",
    message: `The quote costs ${cost}, more than the allowed ${max}`,
    cost,
    max,
    sourceFiat: formatUnits(sourceFiat, FIAT_DECIMALS),
    destinationFiat: formatUnits(destinationFiat, FIAT_DECIMALS),
  }
}

/**
 * The reference price of one side; `null` without a configured source; `missing` says why a
 * configured source gave no price.
 */
export type ReferenceSide =
  | ReferencePrice
  | { readonly missing: string; readonly cause?: string }
  | null

/**
 * `peg`: both assets have the same value, so that units are compared with units. `native`: the coin
 * that pays the network fee, read only when a limit counts fees; `null` when it is not a configured
 * asset.
 */
export type Reference = {
  readonly from: ReferenceSide
  readonly to: ReferenceSide
  readonly peg?: Peg | null
  readonly native?: {
    readonly asset: AssetId
    readonly decimals: number
    readonly price: ReferenceSide
  } | null
}

/**
 * Without its configured reference price an order would rely on the values in the quote alone, so a
 * missing price is a reason.
 */
export function findMissingReference(quote: Quote, reference: Reference): Reason[] {
  const sides = [
    { asset: quote.from, side: reference.from },
    { asset: quote.to, side: reference.to },
    ...(reference.native ? [{ asset: reference.native.asset, side: reference.native.price }] : []),
  ]
  const missing = sides.flatMap(({ asset, side }) =>
    side !== null && "missing" in side
      ? [
          {
            code: "price.reference_missing",
            message: side.missing,
            asset,
            ...(side.cause ? { cause: side.cause } : {}),
          },
        ]
      : [],
  )
  return missing.filter(
    ({ asset }, index) => missing.findIndex((other) => other.asset === asset) === index,
  )
}

/**
 * Refuses a quote that loses more value by reference prices than `maxCost` plus `toleranceBps` of
 * the source's value. The comparison is exact: both values are fractions over the same denominator.
 * A side without a price source is not judged. Two assets of a peg are compared in units: both have
 * the source's price, and the tolerance of the peg applies. `extraFiat`: costs beside the quote.
 */
export function judgeReference(
  quote: Quote,
  reference: Reference,
  decimals: { readonly from: number; readonly to: number },
  limit: {
    readonly maxCost: CostLimit
    readonly toleranceBps: bigint
    readonly extraFiat?: bigint
  },
): Reason[] {
  const missing = findMissingReference(quote, reference)
  if (missing.length > 0) return missing
  const prices = comparedPrices(reference)
  if (prices === null) return []
  const { from, to } = prices
  const scale = 10n ** BigInt(decimals.from + decimals.to)
  const source = quote.sourceUnits * from.fiat * 10n ** BigInt(decimals.to)
  const lost = source - quote.destinationUnits * to.fiat * 10n ** BigInt(decimals.from)
  const { maxCost, extraFiat = 0n } = limit
  const toleranceBps = reference.peg?.toleranceBps ?? limit.toleranceBps
  const bps = toleranceBps + (maxCost.kind === "share" ? maxCost.bps : 0n)
  const allowed = source * bps + (maxCost.kind === "fiat" ? maxCost.fiat * scale * 10_000n : 0n)
  if ((lost + extraFiat * scale) * 10_000n <= allowed) return []
  const cost = `${basisPoints(lost, source)} bps`
  const max =
    maxCost.kind === "share"
      ? `${bps} bps`
      : `${formatUnits(maxCost.fiat, FIAT_DECIMALS)} and ${bps} bps`
  return [
    {
      code: "price.reference",
      message: `By reference prices the quote costs ${cost}, more than the allowed ${max}`,
      cost,
      max,
      sourcePrice: formatUnits(from.fiat, FIAT_DECIMALS),
      destinationPrice: formatUnits(to.fiat, FIAT_DECIMALS),
      sourceFiat: formatUnits(source / scale, FIAT_DECIMALS),
      destinationFiat: formatUnits((source - lost) / scale, FIAT_DECIMALS),
    },
  ]
}

function comparedPrices({
  from,
  to,
  peg = null,
}: Reference): Record<"from" | "to", ReferencePrice> | null {
  if (from === null || to === null || "missing" in from || "missing" in to) return null
  return { from, to: peg === null ? to : from }
}

/**
 * Value lost from source to destination, in basis points rounded up; negative when the quote gains.
 * `null` without prices.
 */
export function quoteCostBps(quote: Quote): bigint | null {
  if (quote.sourceFiat === null || quote.destinationFiat === null || quote.sourceFiat === 0n)
    return null
  return basisPoints(quote.sourceFiat - quote.destinationFiat, quote.sourceFiat)
}

/** Source value less destination value, never below zero; `null` without prices. */
export function quoteFeeFiat(quote: Quote): bigint | null {
  if (quote.sourceFiat === null || quote.destinationFiat === null) return null
  const lost = quote.sourceFiat - quote.destinationFiat
  return lost > 0n ? lost : 0n
}
