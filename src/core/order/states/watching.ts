import {
  again,
  go,
  goLater,
  leaf,
  onlyIf,
  type Route,
  type Transition,
  type Transitions,
  take,
} from "../routes.ts"
import type { StateName } from "../states.ts"
import { transactionLife } from "./transaction-life.ts"

/*
 * The source HTLC is funded. Our own nodes decide the outcome; the service's reports are only
 * shown.
 */

/**
 * A signed refund that may still land is finished first; a second one would leave its fee unbooked.
 */
export const refunding: readonly Route[] = [
  go("refund-confirming", "mayRefundLand"),
  go("refund-planning"),
]

/**
 * Our refund vanished. Its bytes are sent again; after a final block of it vanished, an operator is
 * told first.
 */
export const refundInDoubt = { type: "doubtBlock", params: { purpose: "refund" } } as const

/** The refund that was mined is observed again before another one is planned. */
export const operatorRefund: readonly Transition[] = [
  ...take(
    refundInDoubt,
    ...onlyIf("mayOperatorRefund", [go("refund-confirming", "isRefundMined")]),
  ),
  ...take(null, ...onlyIf("mayOperatorRefund", refunding)),
]

/**
 * A signed redemption that may still land is finished first; a second one would leave its fee
 * unbooked.
 */
export const redeeming: readonly Route[] = [
  go("redeem-confirming", "mayRedeemLand"),
  go("redeem-planning"),
]

/** Never tells a secret: the guard needs one that is told already. */
export const operatorRedeem: readonly Transition[] = take(
  null,
  ...onlyIf("mayOperatorRedeem", redeeming),
)

export const redeemInDoubt = { type: "doubtBlock", params: { purpose: "redeem" } } as const

export const funded = watch(
  "funded",
  goLater("poll", "redeem-reported", "isReported"),
  go("refund-watch", "isLapsed"),
)

export const redeemReported = watch("redeem-reported")

export const refundWatch = watch("refund-watch", goLater("poll", "redeem-reported", "isReported"))

/** Our secret is told, so nothing but the payout, or its loss, changes the order's way. */
export const revealed = watch("revealed")

/** A payout or a refund is shown; when it vanishes, the order waits for one again. */
export const settling = watch(
  "settling",
  go("refund-watch", { type: "all", params: { of: ["isEndingGone", "isLapsed"] } }),
  go("funded", "isEndingGone"),
)

export const refund = transactionLife(
  "refund",
  {
    planning: "refund-planning",
    signing: "refund-signing",
    sending: "refund-sending",
    confirming: "refund-confirming",
    bumping: "refund-bumping",
  },
  // The next observation of the HTLC tells whether the refund paid the wallet. After an exclusion
  // it waits: the HTLC may show that same refund, which is then confirmed again.
  { done: [go("refund-watch")], failed: [goLater("unseen", "refund-watch")] },
  { planning: { "order.declined": take("decline", goLater("longPoll", "refund-watch")) } },
)

/**
 * The deposit's block is in doubt: the order goes back to the observation of the relay, or of our
 * own deposit.
 */
export function depositInDoubt(): readonly Transition[] {
  const change = { type: "doubtBlock", params: { purpose: "deposit" } } as const
  return take(change, go("gasless-confirming", "isRelayed"), go("deposit-confirming"))
}

/**
 * The observation that leads to a report or an ending has just read all places, so the next one
 * waits as a repetition would.
 */
function watch(state: StateName, ...progress: readonly Route[]): ReturnType<typeof leaf> {
  const transitions: Transitions = {
    "order.observed": take(
      "storeObservation",
      go("held", "isFinalGone"),
      // A fee bump that was refused, and a retry, leave a refund that may still land; its fee
      // belongs into the books.
      go("refund-confirming", "leavesRefund"),
      go("redeem-confirming", "leavesRedeem"),
      go("completed", "isPaid"),
      // The refund's own receipt tells its fee, and when it is final.
      go("refund-confirming", "isOwnRefundNew"),
      go("refunded", "isRefunded"),
      // With our own secret the solver may take the source before the payout is redeemed, and
      // Ballast redeems it itself.
      ...onlyIf("isRedeemDue", redeeming),
      ...(state === "revealed" ? [] : [go("revealing", "isSecretTold")]),
      go("held", "isSourceTakenWithoutPayout"),
      // A mint or redemption came after the exclusion. Neither ending follows without the deposit.
      go("deposit-confirming", "isDepositExcluded"),
      ...(state === "settling" ? [] : [goLater("poll", "settling", "isSettling")]),
      ...onlyIf("isRefundable", refunding),
      ...(state === "revealed" ? [] : [go("revealing", "isRevealDue")]),
      go("held", "isReportUnproven"),
      ...(state === "revealed" ? [] : onlyIf("isRevealed", leaveFor(state))),
      ...progress,
      again(state),
    ),
    // The final record of the deposit stays: it is the only trace of the fact that vanished.
    "deposit.unsettled": [
      ...take("alarm", goLater("poll", "held", "isFinalGone")),
      ...depositInDoubt(),
    ],
    "refund.unsettled": take(
      refundInDoubt,
      goLater("poll", "held", "isFinalGone"),
      goLater("unseen", "refund-confirming"),
    ),
    "redeem.unsettled": take(redeemInDoubt, goLater("unseen", "redeem-confirming")),
    "work.deferred": take("storeReasons", again(state)),
    "order.held": take("hold", goLater("poll", "held")),
    "operator.refunded": operatorRefund,
    "operator.redeemed": operatorRedeem,
  }
  return leaf(state, transitions)
}

/** After its reveal an order waits in `revealed`; while a payout is shown, in `settling`. */
function leaveFor(state: StateName): readonly Route[] {
  return [goLater("poll", "revealed", ...(state === "settling" ? (["isEndingGone"] as const) : []))]
}
