import { HTLC, kindOf, type RouteKind } from "#domain/route/route-kind.ts"
import { STATES, type StateName } from "../states.ts"
import { cctpOrders } from "./cctp.ts"
import { htlcOrders } from "./htlc.ts"
import type { OrderKind, StateWords } from "./order-kind.ts"

/** Every kind of route that an order can take; the first one is that of orders without a kind. */
export const ORDER_KINDS: readonly OrderKind[] = [htlcOrders, cctpOrders]

/** A kind that this version does not know has the fewest abilities. */
function orderKind(kind: RouteKind): OrderKind {
  return ORDER_KINDS.find((one) => one.kind === kind) ?? unknownKind(kind)
}

/** The abilities of an order: they follow from the quote that it took. */
export function abilitiesOf({ quote }: KindSource): OrderKind["abilities"] {
  return orderKind(kindOf(quote)).abilities
}

/** The words of a state for an order of this kind. */
export function wordsOf(state: StateName, kind: RouteKind = HTLC): StateWords {
  return { ...STATES[state], ...orderKind(kind).words[state] }
}

export function partsOf(kind: RouteKind): OrderKind["names"] {
  return orderKind(kind).names
}

type KindSource = { readonly quote: { readonly kind?: RouteKind } | null }

function unknownKind(kind: RouteKind): OrderKind {
  const abilities = { isReported: false, refund: false, redeem: "voucher" } as const
  const trust = "This version does not know the route of this order."
  const names = { deposit: "deposit", voucher: "voucher", payout: "payout", trust }
  return { kind, abilities, names, words: {}, without: [] }
}
