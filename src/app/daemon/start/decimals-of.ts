import type { Config } from "#config/config.ts"
import type { AssetId } from "#domain/asset.ts"

export function decimalsOf(config: Pick<Config, "assets">): ReadonlyMap<AssetId, number> {
  return new Map(config.assets.map(({ id, decimals }) => [id, decimals]))
}
