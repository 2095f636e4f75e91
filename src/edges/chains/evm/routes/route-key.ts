import type { Address, Hex } from "viem"
import type { AssetId, ChainId } from "#domain/asset.ts"
import type { RouteRules } from "#ports/key-holder.ts"

/** What the key of one chain may sign for one kind of route, beside the calls of HTLCs. */
export type RouteKey = {
  readonly asset: AssetId
  /** The amount of a deposit that pays our own account; `null` for any other call. */
  readonly readDeposit: (call: RouteCall) => bigint | null
  /** The call takes a payout to our own account, and moves nothing else. */
  readonly isRedemption: (call: RouteCall) => boolean
  /** May this spender get an exact allowance of this token? */
  readonly isSpender: (token: Address | null, spender: string) => boolean
}

export type RouteCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }

/** `null`: the kind has no asset or no contracts on this chain. */
export type OpenRouteKey = (rules: RouteRules, place: RoutePlace) => RouteKey | null

export type RoutePlace = { readonly chain: ChainId; readonly chainId: number }

export function isRouteSpender(
  routes: readonly RouteKey[] | undefined,
  token: Address | null,
  spender: string,
): boolean {
  return routes?.some((route) => route.isSpender(token, spender)) === true
}
