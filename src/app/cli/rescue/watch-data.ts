import { familyOf } from "#chains/families.ts"
import { type Asset, chainOf } from "#domain/asset.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { encodeOrder, type Order } from "#order/step.ts"
import type { RouteConfig } from "#routes/route-definition.ts"
import type { Known } from "./describe-rescue.ts"

/**
 * The part of a rescue file that a watchtower acts by: the order as the journal stores it, and the
 * configuration that its terms were verified by.
 */
export type WatchData = {
  /** `encodeOrder` of the order. */
  readonly order: string
  /** 32 bytes in hex; `null` unless the journal has decided to tell it. */
  readonly secret: string | null
  /** Source and destination. */
  readonly assets: readonly Asset[]
  /** What identifies each chain, by the chain's name. */
  readonly identities: Readonly<Record<string, Readonly<Record<string, string>>>>
  /**
   * The redemption at rising fees, where only the wallet's own key can redeem. They pay our own
   * wallet, and contain the secret.
   */
  readonly redemptions: readonly SignedTransaction[]
  /** The route of another kind than HTLCs that the order took, for its two assets. */
  readonly route?: RouteConfig
}

/** `null` where the configuration lacks a chain or an asset of the order. Pure. */
export function describeWatch(
  order: Order,
  { chains, assets, routes }: Known,
  secret: string | null,
): WatchData | null {
  const { quote, request } = order.data
  const { from, to } = request
  const known = assets.filter(({ id }) => id === from || id === to)
  const named = chains.filter(({ chain }) => [chainOf(from), chainOf(to)].includes(chain))
  if (
    known.length !== new Set([from, to]).size ||
    named.length !== new Set([from, to].map(chainOf)).size
  )
    return null
  const identities = Object.fromEntries(
    named.map((chain) => [chain.chain, familyOf(chain).identityOf(chain)]),
  )
  const route = routes.find(({ kind }) => kind === kindOf(quote))
  return {
    order: encodeOrder(order),
    secret,
    assets: known,
    identities,
    redemptions: [],
    ...(route === undefined ? {} : { route: { ...route, assets: [from, to] } }),
  }
}
