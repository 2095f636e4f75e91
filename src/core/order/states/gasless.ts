import { again, type Compound, go, goLater, leaf, take } from "../routes.ts"
import { beforeDeposit } from "./before-deposit.ts"

/*
 * The deposit that a relay makes with our signature (ADR 0008). A submitted signature cannot be
 * withdrawn.
 */

export const gasless: Compound<"signing" | "submitting" | "confirming"> = {
  initial: "signing",
  states: {
    signing: leaf("gasless-signing", {
      ...beforeDeposit("gasless-signing"),
      "gasless.signed": take("storeTypedSignature", go("gasless-submitting")),
      // No signature was made: the relay's transaction has expired, or it would fail.
      "gasless.fell_through": take("storeReasons", go("deposit-planning")),
    }),
    submitting: leaf("gasless-submitting", {
      // A relay that took the signature needs a moment for its transaction.
      "gasless.submitted": take(
        "countSubmission",
        goLater("sent", "gasless-confirming", "isRelaying"),
        go("gasless-confirming"),
      ),
      "gasless.initiated": take("storeInitiation", go("gasless-confirming")),
      // The submission is in doubt: read the chain before repeating it.
      "work.deferred": take("storeReasons", go("gasless-confirming")),
      // Too late. A signature that was never submitted cannot be used.
      "order.declined": take(
        "decline",
        go("closing", "isSignatureUnsubmitted"),
        go("gasless-confirming"),
      ),
      "order.held": take("hold", goLater("poll", "held")),
    }),
    confirming: leaf("gasless-confirming", {
      // This look has read the source HTLC, and no payout comes in the same moment.
      "gasless.initiated": take(
        "storeInitiation",
        goLater("sent", "funded", "isInitiationSeen"),
        again("gasless-confirming"),
      ),
      "gasless.missing": take("giveUpRelay", go("gasless-submitting")),
      "gasless.fell_through": take("giveUpRelay", go("deposit-planning")),
      "gasless.late": take(
        "giveUpRelay",
        go("proving-unfunded", "isSignatureMortal"),
        go("revoke-confirming", "isRevokeSigned"),
        go("revoke-planning"),
      ),
      "gasless.disarmed": take("disarm", go("disarmed")),
      // A reorganisation removed the approval: the same bytes are sent again.
      "approval.lost": take("giveUpRelay", go("approve-confirming")),
      "work.deferred": take("storeReasons", again("gasless-confirming")),
      "order.held": take("hold", goLater("poll", "held")),
    }),
  },
}

/**
 * The signature needs an allowance, and none is left. A later order's allowance could still serve
 * it, so the order is watched.
 */
export const disarmed = leaf("disarmed", {
  "order.observed": [
    ...take(
      "storeObservation",
      go("completed", "isPaid"),
      go("refunded", "isRefunded"),
      go("funded", "isNewlyFunded"),
    ),
    ...take("storeObservationKeepReasons", again("disarmed")),
  ],
  "deposit.unsettled": take(
    { type: "doubtBlock", params: { purpose: "deposit" } },
    go("gasless-confirming"),
  ),
  "redeem.unsettled": take(
    { type: "doubtBlock", params: { purpose: "redeem" } },
    goLater("unseen", "redeem-confirming"),
  ),
  "refund.unsettled": take(
    { type: "doubtBlock", params: { purpose: "refund" } },
    goLater("unseen", "refund-confirming"),
  ),
  "work.deferred": take("addReasons", again("disarmed")),
  "operator.abandoned": take("recordAbandonment", go("proving-unfunded")),
})
