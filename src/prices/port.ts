import type { AssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"

/** Reference prices, independent of the swap service. */
export interface PricePort {
  /** `null` where no source is configured for the asset. Throws `prices.unavailable` (transient) when none of its sources answers freshly. */
  fetchPrice(asset: AssetId): Promise<ReferencePrice | null>
}
