import { again, go, goLater, type Leaf, leaf, take } from "../routes.ts"
import { type FinalState, STATES } from "../states.ts"

/**
 * The order is over unless an allowance, a signature or a deposit could still cost money. No order
 * rests here.
 */
export const closing: Leaf = {
  id: "closing",
  meta: STATES.closing,
  always: [
    {
      target: "#revoke-confirming",
      guard: { type: "all", params: { of: ["leavesApproval", "mayRevokeLand"] } },
    },
    { target: "#revoke-planning", guard: "leavesApproval" },
    { target: "#gasless-confirming", guard: "isSignatureSubmitted" },
    { target: "#proving-unfunded", guard: "wasDepositSigned" },
    { target: "#abandoned", guard: "isAbandoned" },
    { target: "#rejected" },
  ],
}

/**
 * Something was signed that can fund the HTLC, so no report and no absence ends the order: it ends
 * when enough endpoints prove the HTLC empty (ADR 0019). No time-out ends this wait; the order
 * takes no in-flight slot meanwhile.
 */
export const provingUnfunded = leaf("proving-unfunded", {
  "order.unfunded": take(null, go("abandoned", "isAbandoned"), go("rejected")),
  "order.unproven": take("storeMissingProof", again("proving-unfunded")),
  // The HTLC has a deposit. Our own transaction is observed again, so that its fee is booked.
  "deposit.unsettled": take(
    { type: "reopenAll", params: { purpose: "deposit" } },
    goLater("poll", "held", "isFinalGone"),
    go("deposit-confirming", "wasOwnDepositSigned"),
    go("gasless-confirming"),
  ),
  "order.observed": take(
    "storeObservationKeepReasons",
    go("completed", "isPaid"),
    go("refunded", "isRefunded"),
    go("funded", "isNewlyFunded"),
    again("proving-unfunded"),
  ),
  // A block had shown them, so their fees are booked; none does now.
  "refund.unsettled": take(
    { type: "dropBlock", params: { purpose: "refund" } },
    again("proving-unfunded"),
  ),
  "redeem.unsettled": take(
    { type: "dropBlock", params: { purpose: "redeem" } },
    again("proving-unfunded"),
  ),
  "work.deferred": take("addReasons", again("proving-unfunded")),
  "order.held": take("hold", goLater("poll", "held")),
  // The deposit is excluded for ever, and a voucher that never ends may still be paid.
  "operator.abandoned": take("recordAbandonment", go("abandoned", "isPayoutOpen")),
})

export function outcome(state: FinalState): Leaf {
  return { id: state, meta: STATES[state], type: "final" }
}
