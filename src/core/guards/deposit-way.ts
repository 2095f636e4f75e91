import type { Asset } from "#domain/asset.ts"
import type { DepositWay } from "#domain/order.ts"

/**
 * How a deposit of this asset is made. A relay's signature moves tokens alone, so where the relay
 * is only preferred, a native coin is sent by a transaction of our own, which pays its fee.
 */
export function wayFor(
  way: DepositWay,
  asset: Pick<Asset, "token"> | null | undefined,
): DepositWay {
  return way === "auto" && asset?.token === null ? "onchain" : way
}
