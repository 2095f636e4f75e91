import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"

/** A price that does not count, beside the one on which the other sources agree. */
type PriceOutlier = {
  readonly asset: AssetId
  readonly source: string
  readonly price: string
  readonly agreed: string
  readonly deviationBps: number
}

export function viewPriceOutlier(
  asset: AssetId,
  agreedFiat: bigint,
  { source, fiat }: NonNullable<ReferencePrice["outliers"]>[number],
): PriceOutlier {
  return {
    asset,
    source,
    price: formatUnits(fiat, FIAT_DECIMALS),
    agreed: formatUnits(agreedFiat, FIAT_DECIMALS),
    deviationBps: Number(((fiat - agreedFiat) * 10_000n) / agreedFiat),
  }
}

export function describePriceOutlier({
  asset,
  source,
  price,
  agreed,
  deviationBps,
}: PriceOutlier): string {
  const side = deviationBps < 0 ? "below" : "above"
  return (
    `The price source ${source} gives ${price} for ${asset}, ${Math.abs(deviationBps) / 100} % ` +
    `${side} the ${agreed} of the others, and does not count`
  )
}
