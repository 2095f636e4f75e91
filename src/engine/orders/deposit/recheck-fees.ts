import type { TransactionPlan } from "#domain/transaction.ts"
import { admitFees } from "#guards/limits.ts"
import type { OrderData } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { budgetOf } from "../../rules/budget.ts"
import { readUsage } from "../../rules/usage.ts"
import type { Job } from "../observe/job.ts"

/**
 * The network's fee may exceed the estimate of the admission. Then the deposit waits for as long as
 * its window allows.
 */
export function recheckFees({ context, data }: Job, plans: Plans): () => UntimedOrderEvent | null {
  return () => {
    const { from, to } = data.request
    const planned = { ...data, transactions: withPlans(data.transactions, plans) }
    const usage = readUsage(context, { from, to, rule: data.rule, exceptOrder: data.id })
    const reasons = admitFees(
      budgetOf("deposit-planning", planned).feeFiat,
      usage,
      context.settings.limits,
    )
    return reasons.length > 0 ? { type: "work.deferred", reasons } : null
  }
}

/** `approve`: the approval that is signed together with the deposit. */
type Plans = { readonly deposit: TransactionPlan; readonly approve?: TransactionPlan }

function withPlans(
  tracks: OrderData["transactions"],
  { deposit, approve }: Plans,
): OrderData["transactions"] {
  const planned = { ...tracks, deposit: { ...tracks.deposit, plan: deposit } }
  return approve === undefined
    ? planned
    : { ...planned, approve: { ...tracks.approve, plan: approve } }
}
