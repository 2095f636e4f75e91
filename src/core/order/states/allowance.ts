import { again, go, goLater, leaf, take } from "../routes.ts"
import { beforeDeposit } from "./before-deposit.ts"
import { plannedTransactionLife, transactionLife } from "./transaction-life.ts"

/*
 * The allowance that an ERC-20 deposit or a gasless signature needs: given before the deposit or
 * with it, revoked when no deposit follows.
 */

export const allowing = leaf("allowing", {
  ...beforeDeposit("allowing"),
  "allowance.ready": take(
    null,
    go("gasless-submitting", { type: "all", params: { of: ["isGasless", "isSignatureOut"] } }),
    go("gasless-signing", "isGasless"),
    go("deposit-planning"),
  ),
  "transaction.planned": [
    // The approval and the deposit together, on adjacent nonces.
    ...take({ type: "storePlan", params: { purpose: "deposit" } }, go("deposit-signing", "isPair")),
    ...take({ type: "storePlan", params: { purpose: "approve" } }, go("approve-signing")),
  ],
  "transaction.mined": take(
    { type: "storeMined", params: { purpose: "approve" } },
    again("allowing"),
  ),
  // A reorganisation removed the approval that the order went on from: the same bytes are sent
  // again.
  "transaction.unseen": take(
    { type: "dropBlock", params: { purpose: "approve" } },
    goLater("unseen", "approve-sending"),
  ),
})

const approveExits = {
  done: [go("allowing")],
  // A signature that the relay may have needs its approval: the order plans another one while there
  // is time.
  failed: [
    go("allowing", { type: "all", params: { of: ["isExcluded", "isSignatureOut"] } }),
    go("closing"),
  ],
  late: [go("closing")],
} as const

export const approve = plannedTransactionLife(
  "approve",
  {
    signing: "approve-signing",
    sending: "approve-sending",
    confirming: "approve-confirming",
    bumping: "approve-bumping",
  },
  approveExits,
  {
    everywhere: { "operator.abandoned": take("recordAbandonment", go("closing")) },
    // A signed attempt may still land, also when its fee bump is declined.
    signing: {
      "order.declined": [
        ...take(
          { type: "declineBump", params: { purpose: "approve" } },
          go("approve-confirming", "isApproveSigned"),
        ),
        ...take("decline", ...approveExits.failed),
      ],
    },
  },
)

const revokeExits = {
  done: [go("closing")],
  // The approval landed, and so excluded the transaction that should have excluded it.
  failed: [go("revoke-planning", "isExcluded"), go("closing")],
} as const

export const revoke = transactionLife(
  "revoke",
  {
    planning: "revoke-planning",
    signing: "revoke-signing",
    sending: "revoke-sending",
    confirming: "revoke-confirming",
    bumping: "revoke-bumping",
  },
  revokeExits,
  // Nothing is left to revoke.
  { planning: { "order.declined": take("declineRevoke", go("closing")) } },
)
