import { AppError } from "#lib/app-error.ts"
import type { Brand } from "#lib/brand.ts"
import type { PinnedContract } from "./contract-identity.ts"

/**
 * The name of a chain family, such as `evm`. The registry `src/edges/chains/families.ts` lists
 * them.
 */
export type Family = string

/** A chain's name on the wire, such as `base_sepolia`. */
export type ChainId = Brand<string, "ChainId">

/** `<chain>:<asset>`, such as `base_sepolia:wbtc` (service interface §2). */
export type AssetId = Brand<string, "AssetId">

/**
 * One configured asset. `token` and `htlc` are addresses in the form of the asset's family; a
 * native asset has no token.
 */
export type Asset = {
  readonly id: AssetId
  readonly chain: ChainId
  readonly decimals: number
  readonly token: string | null
  /**
   * Every HTLC contract or program that may hold this asset. Empty where each order has its own
   * HTLC address (Bitcoin).
   */
  readonly htlc: readonly string[]
  /** The reviewed identities of contracts of `htlc`. Absent where none is pinned. */
  readonly pinned?: readonly PinnedContract[]
}

/**
 * Throws `domain.asset_id` (refused) for anything but `<chain>:<asset>` in lower case letters,
 * digits, `_`, `-` and `.`.
 */
export function parseAssetId(text: string): AssetId {
  if (!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(text)) {
    const expected = "<chain>:<asset>, for example base_sepolia:wbtc"
    throw new AppError({
      code: "domain.asset_id",
      disposition: "refused",
      message: `"${text}" is not an asset id; expected ${expected}`,
      details: { text },
    })
  }
  // CAST: the one place that makes an AssetId; the form was checked above.
  return text as AssetId
}

export function chainOf(asset: AssetId): ChainId {
  // CAST: the part before the colon of a checked asset id is a chain id.
  return asset.slice(0, asset.indexOf(":")) as ChainId
}

export function toChainId(text: string): ChainId {
  return chainOf(parseAssetId(`${text}:x`))
}
