import type { AssetId } from "../asset.ts"

/**
 * The assets or chains that a service lists, and one sentence for each entry that could not be
 * read. Nothing in it is proven.
 */
export type Listing<T> = { readonly items: readonly T[]; readonly unreadable: readonly string[] }

/**
 * `address` in the form of its chain, `schema` such as `evm:htlc_erc20`. Some services list
 * `primary` for a native coin.
 */
type ListedContract = { readonly address: string; readonly schema: string | null }

/** One asset in the service's list, of any chain family: also of one that Ballast cannot swap. */
export type ListedAsset = {
  readonly id: AssetId
  readonly name: string | null
  readonly decimals: number
  readonly htlc: ListedContract | null
  /** `null` for a native coin; where a service lists `primary`, that entry stays. */
  readonly token: ListedContract | null
  /** Bounds of one order in smallest units, or `null` where the service lists none. */
  readonly minUnits: bigint | null
  readonly maxUnits: bigint | null
  /** Fiat price of one whole unit as decimal text, for display only. */
  readonly price: string | null
  /** `false`: the service swaps it no more; `null` where the list does not say. */
  readonly isActive: boolean | null
  /** The key with which the solver redeems, where the service lists it. */
  readonly solver: string | null
}

export type ListedChain = {
  /** The chain part of asset ids, such as `base_sepolia`. */
  readonly chain: string
  /**
   * `<family>:<number>`, such as `evm:84532` or `solana:103`; a chain without a number has its
   * family alone (`bitcoin`).
   */
  readonly id: string | null
  readonly name: string | null
  readonly assets: readonly ListedAsset[]
  /** One sentence for each asset of this chain that could not be read. */
  readonly unreadable: readonly string[]
}

/** The pairs that a service swaps. */
export type RoutePolicy = RouteRules & { readonly allows: (from: AssetId, to: AssetId) => boolean }

/** The rules of the policy as the service lists them; `allowsRoute` reads them. */
export type RouteRules = {
  readonly openByDefault: boolean
  /**
   * `<pattern> -> <pattern>` or `<pattern> <-> <pattern>`; a pattern is `<chain>:<asset>`, where
   * `*` stands for any.
   */
  readonly isolationGroups: readonly string[]
  readonly blacklistPairs: readonly string[]
  readonly whitelistOverrides: readonly string[]
}
