/**
 * The name of a kind of route: how money gets from one asset to another. Orders, quotes and pairs
 * without one are of the first kind, a swap service with two HTLCs.
 */
export type RouteKind = string

export const HTLC: RouteKind = "htlc"

/** The kind of a quote, a pair or a deposit. */
export function kindOf(of: { readonly kind?: RouteKind } | null): RouteKind {
  return of?.kind ?? HTLC
}
