import type { AssetId } from "./asset.ts"

/**
 * The most that one order or a window may sell: fiat millionths, or smallest units for each asset
 * that has a limit.
 */
export type SoldLimit =
  | { readonly kind: "fiat"; readonly fiat: bigint }
  | { readonly kind: "units"; readonly byAsset: Readonly<Record<AssetId, bigint>> }
