import type { AssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"

/** Reference prices, independent of the swap service. */
export interface PricePort {
  /** `null` when the asset has no configured source. Throws `prices.unavailable` (transient) when none of its sources gives a fresh price. */
  fetchPrice(asset: AssetId): Promise<ReferencePrice | null>
}
