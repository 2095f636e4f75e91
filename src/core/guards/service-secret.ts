import type { AssetId } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"

/**
 * Whether a sale is above a limit. An unknown value is above every limit in fiat, and so is an
 * asset without an amount. Pure.
 */
export function isAboveLimit(
  limit: SoldLimit | null,
  sold: { readonly asset: AssetId; readonly units: bigint; readonly fiat: bigint | null },
): boolean {
  if (limit === null) return false
  if (limit.kind === "fiat") return sold.fiat === null || sold.fiat > limit.fiat
  const most = limit.byAsset[sold.asset]
  return most === undefined || sold.units > most
}
