import { type Asset, type AssetId, type ChainId, parseAssetId } from "./asset.ts"
import type { Finding } from "./deposit.ts"
import { isSameAddress } from "./is-same-address.ts"

/** The coin in which the chains of a family take network fees. */
export type NativeCoin = {
  /** The ticker in capitals, such as `ETH`. A chain of the family may call its coin otherwise. */
  readonly symbol: string
  readonly decimals: number
  /**
   * The token contract of the coin, on chains where the native coin is a token at the same time
   * (STRK); `null` elsewhere.
   */
  readonly token: string | null
}

type CoinToken = Pick<NativeCoin, "token">

/**
 * The configured asset that is the chain's native coin, or `null` where none is configured. Only
 * this function decides that.
 */
export function findNativeAsset(
  chain: ChainId,
  assets: Iterable<Asset>,
  coin: CoinToken,
): Asset | null {
  const own = [...assets].filter((asset) => asset.chain === chain)
  const untokened = own.find(({ token }) => token === null)
  return untokened ?? own.find(({ token }) => token !== null && isCoinToken(token, coin)) ?? null
}

/**
 * The id of the chain's native coin in the books: that of the configured asset, else
 * `<chain>:native`.
 */
export function nativeAssetId(chain: ChainId, assets: Iterable<Asset>, coin: CoinToken): AssetId {
  return findNativeAsset(chain, assets, coin)?.id ?? parseAssetId(`${chain}:native`)
}

export function isNativeAsset({ token }: Pick<Asset, "token">, coin: CoinToken): boolean {
  return token === null || isCoinToken(token, coin)
}

/** The decimals of a native coin are a fact of its chain, whatever a file or a node says. Pure. */
export function findCoinFaults(asset: Asset, coin: NativeCoin): readonly Finding[] {
  if (!isNativeAsset(asset, coin) || asset.decimals === coin.decimals) return []
  return [
    {
      code: "asset.decimals_differ",
      message: "the chain's own coin has other decimals; correct decimals of the asset",
      expected: `${asset.decimals} decimals`,
      found: `${coin.decimals} decimals`,
    },
  ]
}

function isCoinToken(token: string, coin: CoinToken): boolean {
  return coin.token !== null && isSameAddress(token, coin.token)
}
