import { hash } from "node:crypto"
import type { SignedTransaction, TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import type { Secret } from "#lib/secret.ts"
import type { Journal } from "#ports/journal.ts"
import type { SigningContext } from "#ports/key-holder.ts"
import { textOf } from "./pay/own-secret.ts"

/**
 * The actions that are safe without the log, also while another machine leads (ADR 37).
 *
 * - `refund`: pays only the depositor, us. The contract pays it once; on Bitcoin it spends the
 *   deposit and nothing else.
 * - `redeem`: pays only the receiver of the payout, us, once.
 * - `void`: moves nothing but a fee, and excludes only the transaction with its nonce or input.
 *
 * A nonce that the other machine uses too lets one of the two transactions land. Neither can land
 * twice.
 */
export const SAFE: readonly TransactionAction[] = ["refund", "redeem", "void"]

type Decisions = Pick<Journal, "areDecisionsDurable">

/**
 * Whether this call of a port may leave without the log. A refund or a redemption also needs the
 * order's decision about its secret in the log: else the other machine could decide the opposite. A
 * secret leaves again, and never for the first time.
 */
export function isSafeAlone(journal: Decisions, call: string, args: readonly unknown[]): boolean {
  switch (call) {
    case "signTransaction": {
      // CAST: the port's own arguments.
      const [{ action }, context] = args as [TransactionPlan, SigningContext?]
      if (action === "void") return true
      return (
        SAFE.includes(action) &&
        context !== undefined &&
        journal.areDecisionsDurable(context.order) !== false
      )
    }
    case "broadcastTransaction": {
      // The signature has passed this gate, so its decision was in the log.
      // CAST: as above.
      const [{ plan }] = args as [SignedTransaction]
      return SAFE.includes(plan.action)
    }
    case "revealSecret": {
      // CAST: as above.
      const [, secret] = args as [string, Secret]
      return journal.areDecisionsDurable(hashOf(secret)) === true
    }
    default:
      return false
  }
}

function hashOf(secret: Secret): string {
  return hash("sha256", Buffer.from(textOf(secret), "hex"))
}
