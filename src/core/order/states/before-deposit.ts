import { again, go, goLater, leaf, type Transitions, take } from "../routes.ts"
import type { StateName } from "../states.ts"

/* From the request to the approval of a verified deposit. No signature exists yet. */

export const quoting = leaf("quoting", {
  ...beforeCreation("quoting"),
  "quote.accepted": take("acceptQuote", go("creating")),
})

export const creating = leaf("creating", {
  ...beforeCreation("creating"),
  "order.created": take("storeCreated", go("verifying")),
  "quote.outdated": take("dropQuote", goLater("creation", "quoting")),
})

export const verifying = leaf("verifying", {
  ...beforeDeposit("verifying"),
  // The service did not take our secret hash.
  "quote.outdated": take("dropQuote", goLater("creation", "quoting")),
  "deposit.verified": take(
    "storeVerifiedDeposit",
    go("awaiting-approval", "needsApproval"),
    go("allowing"),
  ),
})

export const awaitingApproval = leaf("awaiting-approval", {
  "work.deferred": take("storeReasons", again("awaiting-approval")),
  "operator.abandoned": take("recordAbandonment", go("closing")),
  // The order is verified once more: the service's terms may have become worse while the order
  // waited.
  "operator.approved": take(
    "recordApproval",
    go("verifying", "isApprovedByAll"),
    again("awaiting-approval"),
  ),
  "operator.rejected": take("recordRejection", go("closing")),
  "approval.expired": take("recordExpiry", go("closing")),
})

/** No money is at stake: a refusal ends the order, and an operator may abandon it. */
function beforeCreation(state: StateName): Transitions {
  return {
    "order.declined": take("decline", go("closing")),
    "work.deferred": take("storeReasons", again(state)),
    "operator.abandoned": take("recordAbandonment", go("closing")),
  }
}

/** The service has an order. An answer about it that makes no sense holds ours. */
export function beforeDeposit(state: StateName): Transitions {
  return { ...beforeCreation(state), "order.held": take("hold", goLater("poll", "held")) }
}
