import { basisPoints } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { describePriceOutlier, viewPriceOutlier } from "#guards/price-outlier.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { OrderData } from "./data.ts"

type ReferenceView = Pick<AnswerOf<"Order">, "reference">

/** The accepted quote against our own prices of the same moment; nothing without such a price. */
export function viewReference(
  { quote, prices: { from, to, outliers = [] } }: Pick<OrderData, "quote" | "prices">,
  decimals: ReadonlyMap<AssetId, number>,
): ReferenceView {
  if (quote === null || (from === null && to === null)) return {}
  const priceOf = (asset: AssetId): bigint | null => (asset === quote.from ? from : to)
  const scaleOf = (asset: AssetId): bigint => 10n ** BigInt(decimals.get(asset) ?? 0)
  const source = quote.sourceUnits * (from ?? 0n) * scaleOf(quote.to)
  const lost = source - quote.destinationUnits * (to ?? 0n) * scaleOf(quote.from)
  const isCompared = source > 0n && to !== null
  return {
    reference: {
      costBps: isCompared ? Number(basisPoints(lost, source)) : null,
      outliers: outliers.flatMap(({ asset, ...outlier }) => {
        const agreed = priceOf(asset)
        return agreed === null ? [] : [viewPriceOutlier(asset, agreed, outlier)]
      }),
    },
  }
}

/** What a person weighs before an approval: the deviation, and each source that is off. */
export function describeReference({ reference }: ReferenceView): readonly string[] {
  if (reference === undefined) return []
  const { costBps, outliers } = reference
  const side = (costBps ?? 0) < 0 ? "more" : "less"
  const percent = Math.abs(costBps ?? 0) / 100
  const deviation = `By our own prices the quote pays ${percent} % ${side} than it takes`
  return [...(costBps === null ? [] : [deviation]), ...outliers.map(describePriceOutlier)]
}
