import { again, go, goLater, leaf, onlyIf, take } from "../routes.ts"
import { voiding } from "./deposit.ts"
import {
  depositInDoubt,
  operatorRedeem,
  operatorRefund,
  redeemInDoubt,
  redeeming,
  refundInDoubt,
  refunding,
} from "./watching.ts"

/**
 * The order waits for an operator. Its HTLCs are still observed: a payout or refund ends the order,
 * and a refund that becomes possible is sent.
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
      go("redeem-confirming", "leavesRedeem"),
      go("completed", "isPaid"),
      go("refund-confirming", "isOwnRefundNew"),
      go("refunded", "isRefunded"),
      go("revealing", "isSecretTold"),
      go("funded", "isNewlyFunded"),
      ...onlyIf("isRedeemDue", redeeming),
      ...onlyIf("isRefundable", refunding),
    ),
    ...take("storeObservationKeepReasons", again("held")),
  ],
  "deposit.unsettled": [
    ...take("alarmKeepReasons", again("held", "isFinalGone")),
    ...depositInDoubt(),
  ],
  "refund.unsettled": take(
    refundInDoubt,
    again("held", "isFinalGone"),
    goLater("unseen", "refund-confirming"),
  ),
  "redeem.unsettled": take(redeemInDoubt, goLater("unseen", "redeem-confirming")),
  "work.deferred": take("addReasons", again("held")),
  "operator.refunded": [
    ...take(
      null,
      go("deposit-confirming", "mayDepositLand"),
      go("revoke-confirming", "leavesRevoke"),
    ),
    ...operatorRefund,
  ],
  "operator.redeemed": operatorRedeem,
  "operator.retried": [
    // A final deposit vanished: its bytes are sent again, or voided when it is too late.
    ...take(
      { type: "retryDoubted", params: { purpose: "deposit" } },
      go("gasless-confirming", {
        type: "all",
        params: { of: ["wasFinalDepositGone", "isRelayed"] },
      }),
      go("deposit-confirming", "wasFinalDepositGone"),
    ),
    ...take(
      "recordRetry",
      go("deposit-confirming", "mayDepositLand"),
      go("revoke-confirming", "leavesRevoke"),
      go("revealed", "isRevealed"),
      go("funded", "isFunded"),
      go("deposit-confirming", "isDepositSigned"),
      go("gasless-confirming", "isSignatureOut"),
      // A revocation that has begun is finished; an approval that may exist on chain is observed.
      go("revoke-confirming", "isRevokeSigned"),
      go("approve-confirming", "isApprovalPending"),
      go("verifying", "mayStillDeposit"),
      // Another order of the service would hide the HTLC of this one, and a deposit of it may still
      // land there.
      go("proving-unfunded", "wasOwnDepositSigned"),
    ),
    ...take("endStale", go("closing", "isDepositPlanned")),
    ...take("startOver", go("quoting")),
  ],
  "operator.abandoned": take(
    "recordAbandonment",
    ...onlyIf("isVoidable", voiding),
    // Attested, so nothing voids it. The person accepts the transaction that excluded it.
    go("deposit-confirming", "isDepositExcluded"),
    go("closing", "isNothingSigned"),
  ),
})
