import { go, onlyIf, type Route, type Transitions, take } from "../routes.ts"
import { transactionLife } from "./transaction-life.ts"

/* Our own deposit transaction, and the void that makes a signed deposit impossible. */

/**
 * A signed void that may still land is finished first; a second one would leave its fee unbooked.
 */
export const voiding: readonly Route[] = [go("void-confirming", "mayVoidLand"), go("void-planning")]

const depositExits = {
  done: [go("funded")],
  // The relay may still deposit with a signature that it has.
  failed: [
    go("gasless-confirming", "isSignatureOut"),
    go("deposit-planning", "mayReplanDeposit"),
    go("closing"),
  ],
  late: voiding,
} as const

/** A deposit that was never signed needs no void. */
const unsigned: Transitions = {
  "operator.abandoned": take("recordAbandonment", go("closing", "isNothingSigned")),
}

export const deposit = transactionLife(
  "deposit",
  {
    planning: "deposit-planning",
    signing: "deposit-signing",
    sending: "deposit-sending",
    confirming: "deposit-confirming",
    bumping: "deposit-bumping",
  },
  depositExits,
  {
    everywhere: {
      "operator.abandoned": take("recordAbandonment", ...onlyIf("isVoidable", voiding)),
    },
    planning: { ...unsigned, "order.declined": take("decline", ...depositExits.failed) },
    // A signed attempt may still land, also when its fee bump is declined.
    signing: {
      ...unsigned,
      "order.declined": [
        ...take(
          { type: "declineBump", params: { purpose: "deposit" } },
          go("deposit-confirming", "isDepositSigned"),
        ),
        ...take("decline", ...depositExits.failed),
      ],
    },
  },
)

/** The deposit landed, or its block is in doubt: the deposit is observed again. */
const unsettled: Transitions = { "deposit.unsettled": take(null, go("deposit-confirming")) }

/**
 * Named `voidDeposit` because `void` is a reserved word. A void's planning is never declined: a
 * late deposit needs its void.
 */
export const voidDeposit = transactionLife(
  "void",
  {
    planning: "void-planning",
    signing: "void-signing",
    sending: "void-sending",
    confirming: "void-confirming",
    bumping: "void-bumping",
  },
  {
    // A void excludes our deposit, not the relay's.
    done: [go("gasless-confirming", "isSignatureOut"), go("closing")],
    failed: [go("deposit-confirming")],
  },
  { planning: unsettled, confirming: unsettled },
)
