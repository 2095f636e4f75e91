import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { Job } from "./job.ts"

/**
 * The reason not to sign a plan: an earlier order of this account has signed the same bytes. `null` when none has.
 *
 * A lagging node offers a nonce or coin that is used up. If all other fields are equal too, as in two revocations of one allowance, both
 * transactions have one id: the earlier one would count as this order's own, and this order's allowance would stay.
 */
export function findRepeatedBytes({ context, data }: Job, plan: TransactionPlan): Reason | null {
  if (!context.journal.isSignedByAnother(plan.digest, plan.chain, data.id)) return null
  const message = `The node of ${plan.chain} is behind: it leads to a transaction that an earlier order has sent already`
  return { code: "plan.repeated", message, digest: plan.digest }
}
