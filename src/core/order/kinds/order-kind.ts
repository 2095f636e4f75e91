import type { RouteKind } from "#domain/route/route-kind.ts"
import type { StateDescription, StateName } from "../states.ts"

/** What the machine, the commands and people need to know of the orders of one kind of route. */
export type OrderKind = {
  readonly kind: RouteKind
  readonly abilities: {
    /** A service reports on the order; otherwise our own nodes alone show it. */
    readonly isReported: boolean
    /** A deposit that is not paid out can come back. */
    readonly refund: boolean
    /**
     * What our own redemption needs: our secret, where we chose it; or the route's voucher, which
     * tells nothing, so that anyone may redeem.
     */
    readonly redeem: "secret" | "voucher"
  }
  /** What people call its parts, each in one word. `voucher`: what opens the payout. */
  readonly names: {
    readonly deposit: string
    readonly voucher: string
    readonly payout: string
    /** In a sentence: which party the money depends on between deposit and payout. */
    readonly trust: string
  }
  /** The states with other words than `STATES`. */
  readonly words: { readonly [S in StateName]?: Partial<StateWords> }
  /** The states in which no order of this kind is ever. */
  readonly without: readonly StateName[]
}

export type StateWords = Pick<StateDescription, "money" | "onRestart" | "canRefund" | "who">
