import type { Asset } from "#domain/asset.ts"
import { isNativeAsset, type NativeCoin } from "#domain/native-coin.ts"
import type { OrderData } from "#order/data.ts"

/**
 * The payout of an order in the smallest units of its chain's native coin, by the prices of the
 * moment in which its quote was accepted, less the fees of redemptions that failed in their blocks;
 * `null` without these prices. Pure: the fee of a redemption may reach it, so it must not depend on
 * an answer of the last minutes. So all redemptions of an order together cost no more than the
 * payout, beside the usual cap of each.
 */
export function payoutWorth(
  data: Pick<OrderData, "terms" | "prices" | "mined">,
  asset: Asset | undefined,
  coin: NativeCoin,
): bigint | null {
  const worthUnits = priceOf(data, asset, coin)
  if (worthUnits === null) return null
  const failed = data.mined.filter(({ purpose, ok }) => purpose === "redeem" && !ok)
  const spentUnits = failed.reduce((sum, { feeUnits }) => sum + feeUnits, 0n)
  return worthUnits > spentUnits ? worthUnits - spentUnits : 0n
}

function priceOf(
  { terms, prices }: Pick<OrderData, "terms" | "prices">,
  asset: Asset | undefined,
  coin: NativeCoin,
): bigint | null {
  if (terms === null || asset === undefined) return null
  const { destinationUnits } = terms
  if (isNativeAsset(asset, coin)) return destinationUnits
  const { to, payoutCoin = null } = prices
  if (to === null || payoutCoin === null || payoutCoin === 0n) return null
  return (
    (destinationUnits * to * 10n ** BigInt(coin.decimals)) /
    (payoutCoin * 10n ** BigInt(asset.decimals))
  )
}
