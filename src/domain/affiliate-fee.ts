import { type AssetId, chainOf } from "./asset.ts"

/** One partner's part of every order (service interface §1): basis points of the source value, paid out weekly in this asset to this address. */
export type AffiliateFee = { readonly asset: AssetId; readonly address: string; readonly feeBps: number }

/** What the service wrote down for one entry. `units`: the payout in the asset's smallest unit, by the prices of the quote; `null` where it does not say. */
export type AffiliateRecord = AffiliateFee & { readonly units: bigint | null }

/** Payouts are USDC or cbBTC, on the supported chains (service interface §1); decimals by the field notes. */
export const PAYOUT_DECIMALS: Readonly<Record<string, number>> = { usdc: 6, cbbtc: 8 }

/** `usdc` of `base_sepolia:usdc`. */
export function symbolOf(asset: AssetId): string {
  return asset.slice(chainOf(asset).length + 1)
}

/** What is asked for with a quote, and what the entries of its order must add up to (service interface §2). */
export function sumBps(fees: readonly AffiliateFee[]): number {
  return fees.reduce((sum, { feeBps }) => sum + feeBps, 0)
}
