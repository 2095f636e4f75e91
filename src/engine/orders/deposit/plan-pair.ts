import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountPrefix } from "../../context.ts"
import { deferWork, type Job } from "../observe/job.ts"
import type { WorkResult } from "../stepper.ts"
import { planRequested } from "./bind-plan.ts"
import { hasAllowanceAlone } from "./hold-allowance.ts"
import { answerRefusal } from "./plan-transaction.ts"
import { recheckFees } from "./recheck-fees.ts"

/**
 * Plans the exact approval and its deposit for adjacent nonces (ADR 35). The approval sets the
 * amount whatever stands there, and nothing of the account can come between the two, so no
 * allowance is read and no other order waits.
 *
 * `null`: this order's approval goes alone. Its token or node allows no pair, the simulation of the
 * deposit reverts, or the order has used the allowance in that way before.
 */
export async function planPair(job: Job, chain: ChainPort): Promise<WorkResult | null> {
  const { data, context } = job
  const { from: asset, sourceUnits: units } = data.request
  const deposit = mustExist(data.deposit, "the verified deposit")
  if (
    chain.pairs === undefined ||
    data.gasless !== null ||
    hasAllowanceAlone(job, asset, deposit.htlc)
  )
    return null
  if (context.journal.listOf(data.id).length > 0) return null
  if (!(await chain.pairs.canPair(asset, deposit.htlc))) return null
  const reserved = context.journal.listReserved(accountPrefix(chain))
  const approve = await planRequested(
    chain,
    { action: "approve", asset, spender: deposit.htlc, units },
    reserved,
  )
  if ("refused" in approve)
    return isSimulated(chain, approve.refused) ? null : deferWork(approve.refused)
  const plan = await planRequested(
    chain,
    { action: "initiate", asset, deposit, isPaired: true },
    reserved,
  )
  if ("refused" in plan)
    return isSimulated(chain, plan.refused) ? null : answerRefusal(job, "deposit", plan.refused)
  return {
    event: { type: "transaction.planned", plan, companion: { purpose: "approve", plan: approve } },
    recheck: recheckFees(job, { deposit: plan, approve }),
  }
}

function isSimulated(
  { traits }: ChainPort,
  reasons: readonly { readonly code: string }[],
): boolean {
  return reasons.some(({ code }) => traits.refusalsOfLaggingNodes.includes(code))
}
