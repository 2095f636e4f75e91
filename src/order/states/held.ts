import { again, go, leaf, onlyIf, take } from "../routes.ts"
import { voiding } from "./deposit.ts"
import { depositInDoubt, refunding } from "./watching.ts"

/**
 * The order waits for an operator. Its HTLCs are still observed: a payout or refund ends the order, and a refund that becomes possible is sent.
 *
 * A transaction of ours that may still land is finished before any other is planned.
 */
export const held = leaf("held", {
  "order.observed": [
    ...take(
      "storeObservation",
      go("deposit-confirming", "isOwnDepositNew"),
      go("revoke-confirming", "leavesRevoke"),
      go("refund-confirming", "leavesRefund"),
      go("completed", "isPaid"),
      go("refund-confirming", "isOwnRefundNew"),
      go("refunded", "isRefunded"),
      go("funded", "isNewlyFunded"),
      ...onlyIf("isRefundable", refunding),
    ),
    ...take("storeObservationKeepReasons", again("held")),
  ],
  "deposit.unsettled": depositInDoubt(),
  "work.deferred": take("addReasons", again("held")),
  "operator.refunded": take(
    null,
    go("deposit-confirming", "mayDepositLand"),
    go("revoke-confirming", "leavesRevoke"),
    ...onlyIf("mayOperatorRefund", refunding),
  ),
  "operator.retried": [
    ...take(
      "recordRetry",
      go("deposit-confirming", "mayDepositLand"),
      go("revoke-confirming", "leavesRevoke"),
      go("funded", "isFunded"),
      go("deposit-confirming", "isDepositSigned"),
      go("gasless-confirming", "isSignatureOut"),
      // A revocation that has begun is finished; an approval that may exist on chain is observed.
      go("revoke-confirming", "isRevokeSigned"),
      go("approve-confirming", "isApprovalPending"),
      go("verifying", "mayStillDeposit"),
    ),
    ...take("startOver", go("quoting")),
  ],
  "operator.abandoned": take("recordAbandonment", ...onlyIf("isVoidable", voiding), go("closing", "isNothingSigned")),
})
