import type { AssetId } from "#domain/asset.ts"
import type { Posting } from "#domain/ledger.ts"
import type { OrderData } from "#order/data.ts"

/** Makes postings with their fiat value at the order's quote. */
export type Valuation = {
  readonly post: (account: string, asset: AssetId, units: bigint) => Posting
}

/**
 * Values the quote's two assets by the quote, and the coins that pay the fees of both chains by
 * their reference prices at that time. Other assets have no value (`null`), because an unknown
 * value is not zero. Rounded towards zero to a millionth.
 */
export function createValuation(
  { quote, prices }: Pick<OrderData, "quote" | "prices">,
  native: AssetId,
  decimalsOf: (asset: AssetId) => number | null,
  payoutCoin: AssetId | null = null,
): Valuation {
  function priceOf(asset: AssetId): bigint | null {
    if (asset === native) return prices.native
    if (asset === quote?.from) return prices.from
    if (asset === quote?.to) return prices.to
    return asset === payoutCoin ? (prices.payoutCoin ?? null) : null
  }
  function fiatOf(asset: AssetId, units: bigint): bigint | null {
    if (
      quote !== null &&
      asset === quote.from &&
      quote.sourceUnits > 0n &&
      quote.sourceFiat !== null
    ) {
      return (units * quote.sourceFiat) / quote.sourceUnits
    }
    if (
      quote !== null &&
      asset === quote.to &&
      quote.destinationUnits > 0n &&
      quote.destinationFiat !== null
    ) {
      return (units * quote.destinationFiat) / quote.destinationUnits
    }
    const price = priceOf(asset)
    const decimals = decimalsOf(asset)
    return price === null || decimals === null ? null : (units * price) / 10n ** BigInt(decimals)
  }
  return {
    post: (account, asset, units) => ({ account, asset, units, fiat: fiatOf(asset, units) }),
  }
}
