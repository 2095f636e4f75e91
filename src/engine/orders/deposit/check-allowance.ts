import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { OrderData } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountPrefix } from "../../context.ts"
import { sourceQuery } from "../leg-queries.ts"
import {
  declineAsTooLate,
  declineOrder,
  deferWork,
  isTooLate,
  type Job,
  type Performer,
  reasonOf,
  sourceChain,
  usesAllowance,
} from "../observe/job.ts"
import { observeAttempts, reportObservation } from "../observe/observe-transaction.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"
import { answerRepeatedBytes } from "./answer-repeated-bytes.ts"
import { bindsLate, planRequested, reserveWithPlan } from "./bind-plan.ts"
import { findChangedContracts } from "./check-contracts.ts"
import { hasAllowanceAlone, holdAllowanceAlone, holdAllowanceInOrder } from "./hold-allowance.ts"
import { planPair } from "./plan-pair.ts"
import { findMissing } from "./read-allowance.ts"

/**
 * Chooses between a gasless and an onchain deposit, and plans the approval: together with its
 * deposit where both can have adjacent nonces, else alone when the exact allowance is missing.
 *
 * An allowance without a pair reserves the lock: between an exact approval and its deposit no other
 * order may change the same allowance.
 */
export const checkAllowance: Performer = async (job) => {
  if (isTooLate(job)) return declineAsTooLate(job)
  const way = chooseDepositWay(job.data)
  if (way === null) {
    return declineOrder([
      {
        code: "gasless.unavailable",
        message:
          "The configuration asks for gasless deposits, and the service offers none that may be " +
          "signed",
      },
      ...(job.data.deposit?.gaslessFindings ?? []),
    ])
  }
  const chain = sourceChain(job)
  const deposit = mustExist(job.data.deposit, "the verified deposit")
  const { from } = job.data.request
  if (!usesAllowance(job)) return { event: { type: "allowance.ready", way } }
  const changed = await findChangedContracts(job)
  if (changed.length > 0) return declineOrder(changed)
  // A deposit that carries its approval in the same transaction needs no allowance to stand: the
  // account's nonces keep several apart.
  if (chain.traits.allowances === "carried" && way === "onchain")
    return {
      event: { type: "allowance.ready", way },
      reserve: [holdAllowanceInOrder(job, from, deposit.htlc)],
    }
  const paired = way === "onchain" ? await planPair(job, chain) : null
  if (paired !== null) return paired
  // While another order has the allowance alone, the allowance on chain is that order's, and it
  // goes away with the lock. So the allowance is read only once the lock is free, and the pairs
  // before it have used theirs.
  const { lock, waitsFor } = holdAllowanceAlone(job, from, deposit.htlc)
  if (waitsFor !== null) {
    if (hasAllowanceAlone(job, from, deposit.htlc)) throw waitsFor
    return { ...deferWork([reasonOf(waitsFor)]), reserve: [lock] }
  }
  const { missing, planOf } = await readMissing(job)
  if (missing === null || (await isAllowanceUsed(job)))
    return { event: { type: "allowance.ready", way }, reserve: [lock] }
  const young = await findYoungApproval(job, chain)
  if (young !== null) return young
  if (countApprovals(job.data) >= MOST_APPROVALS) return declineOrder([STILL_MISSING])
  const plan = await planOf(missing.setUnits)
  if ("refused" in plan) return deferWork(plan.refused)
  const repeated = bindsLate(chain, plan) ? null : answerRepeatedBytes(job, "approve", plan)
  if (repeated !== null) return repeated
  return {
    event: { type: "transaction.planned", plan },
    reserve: [lock, ...reserveWithPlan(chain, plan)],
  }
}

/** A token that wants zero first takes two, and each one costs a fee. */
const MOST_APPROVALS = 4

function countApprovals({ mined }: OrderData): number {
  return mined.filter(({ purpose, ok }) => purpose === "approve" && ok).length
}

const STILL_MISSING: Reason = {
  code: "approve.without_effect",
  message:
    `${MOST_APPROVALS} approvals of the order are in blocks, and the HTLC may still not take its ` +
    "amount: the token or another program with the key takes the allowance away, or the nodes " +
    "do not show it. Nothing was deposited",
}

export const checkAllowanceWork: WorkEntry<"checkAllowance"> = {
  perform: checkAllowance,
  lane: "account",
  spends: false,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Reads the allowance; an approval and a deposit that it plans are not signed yet.",
}

/**
 * The missing allowance, and the plan that sets so many units. Most orders that come here need
 * their first approval, and reads that begin together are one request.
 */
async function readMissing(job: Job) {
  const { transactions, request } = job.data
  const read = findMissing(job)
  const isFirst = transactions.approve.signed.length === 0
  const early = isFirst ? ignoreUnhandled(planApproval(job, request.sourceUnits)) : null
  const planOf = (units: bigint): ReturnType<typeof planApproval> =>
    early !== null && units === request.sourceUnits ? early : planApproval(job, units)
  return { missing: await read, planOf }
}

async function planApproval(job: Job, units: bigint): ReturnType<ChainPort["planTransaction"]> {
  const chain = sourceChain(job)
  const { htlc: spender } = mustExist(job.data.deposit, "the verified deposit")
  const request = { action: "approve", asset: job.data.request.from, spender, units } as const
  return planRequested(chain, request, job.context.journal.listReserved(accountPrefix(chain)))
}

/**
 * The relay may use its signature at any moment. An allowance that is gone because the deposit
 * exists needs no new approval.
 */
async function isAllowanceUsed(job: Job): Promise<boolean> {
  if (job.data.gasless === null) return false
  return (await sourceChain(job).observeLeg(sourceQuery(job.data))).initiated !== null
}

/**
 * The result for an allowance that is missing although a block shows our approval; `null` without
 * such an approval.
 *
 * The order goes on from an approval before it is final. So the read is older than that block, or
 * the block vanished: then the same bytes are sent again. A second approval waits for the finality
 * of the first, because their signatures do not exclude each other (a token that wants zero first).
 * Finality that was known counts only while it is shown: one lying node may have told it.
 */
async function findYoungApproval(job: Job, chain: ChainPort): Promise<WorkResult | null> {
  const { mined } = job.data.transactions.approve
  if (mined === null) return null
  const seen = await observeAttempts(chain, job.data, "approve")
  const isFinal = seen.status === "mined" && seen.final
  if (mined.final && isFinal) return null
  const isNews = seen.status === "unseen" || isFinal
  return isNews ? reportObservation(job, "approve", seen) : deferWork(job.data.reasons)
}

/** `null`: the order asks for a gasless deposit, and the service offers none. */
export function chooseDepositWay({ deposit, policy }: OrderData): "gasless" | "onchain" | null {
  const offered = deposit?.hasTypedData === true
  if (policy.way === "gasless") return offered ? "gasless" : null
  return policy.way === "auto" && offered ? "gasless" : "onchain"
}
