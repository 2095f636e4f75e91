import { FIAT_DECIMALS, formatUnits } from "./amount.ts"
import type { AssetId } from "./asset.ts"
import type { ReferencePrice } from "./price.ts"

/** A price that does not count, beside the one on which the other sources agree. */
export type Outlier = {
  readonly asset: AssetId
  readonly source: string
  readonly price: string
  readonly agreed: string
  readonly deviationBps: number
}

export function viewOutlier(
  asset: AssetId,
  agreedFiat: bigint,
  { source, fiat }: NonNullable<ReferencePrice["outliers"]>[number],
): Outlier {
  return {
    asset,
    source,
    price: formatUnits(fiat, FIAT_DECIMALS),
    agreed: formatUnits(agreedFiat, FIAT_DECIMALS),
    deviationBps: Number(((fiat - agreedFiat) * 10_000n) / agreedFiat),
  }
}

export function describeOutlier({ asset, source, price, agreed, deviationBps }: Outlier): string {
  const side = deviationBps < 0 ? "below" : "above"
  return (
    `The price source ${source} gives ${price} for ${asset}, ${Math.abs(deviationBps) / 100} % ` +
    `${side} the ${agreed} of the others, and does not count`
  )
}
