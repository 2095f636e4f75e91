import { type AssetId, chainOf } from "../asset.ts"

/**
 * The fee of one partner (service interface §1): basis points of each order's source value, paid
 * weekly in this asset to this address.
 */
export type AffiliateFee = {
  readonly asset: AssetId
  readonly address: string
  readonly feeBps: number
}

/**
 * The service's record of one fee. `units`: the payout in the asset's smallest unit at the quote's
 * prices; `null` when the service reports none.
 */
export type AffiliateRecord = AffiliateFee & { readonly units: bigint | null }

/** What the service owes us of one asset, by its list; `paidUnits` is `null` where it is silent. */
export type StatedEarnings = {
  readonly asset: AssetId
  readonly owedUnits: bigint
  readonly paidUnits: bigint | null
  readonly contract: string | null
}

/**
 * Payouts are USDC or cbBTC, on the supported chains (service interface §1). The symbol does not
 * tell the decimals: USDC has 6 on most chains and 18 on others, so only a configured asset says
 * them.
 */
export const PAYOUT_SYMBOLS: readonly string[] = ["usdc", "cbbtc"]

/** `usdc` of `base_sepolia:usdc`. */
export function symbolOf(asset: AssetId): string {
  return asset.slice(chainOf(asset).length + 1)
}

/**
 * The total of all fees. A quote is requested for this total, and the fees of its order must add up
 * to it (service interface §2).
 */
export function sumBps(fees: readonly AffiliateFee[]): number {
  return fees.reduce((sum, { feeBps }) => sum + feeBps, 0)
}
