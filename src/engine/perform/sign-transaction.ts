import type { TransactionPlan } from "#domain/transaction.ts"
import { present } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import { isOrderPausedNow } from "../pause.ts"
import type { WorkResult } from "../stepper.ts"
import type { WorkEntry } from "../work-entry.ts"
import { answerRepeatedBytes } from "./answer-repeated-bytes.ts"
import { bindPlan, bindsLate, fullNames } from "./bind-plan.ts"
import {
  chainOfPurpose,
  declineAsTooLate,
  declineOrder,
  deferUntilResumed,
  isTooLate,
  type Job,
  leadsToDeposit,
  type Performer,
  protectsFunds,
} from "./job.ts"
import { recordLostPayout } from "./prove-payout.ts"
import { orderWorth } from "./time-to-redeem.ts"

/**
 * Binds the plan to its nonce, claims the signature in the journal, then signs. The commit stores the bytes before any node receives them.
 *
 * After a crash between claim and commit, the claimed plan is signed again: same bytes.
 */
export function signTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const planned = present(job.data.transactions[kind].plan, `the planned ${kind}`)
    const stored = findStoredPlan(job, kind, planned)
    const refused = answerPause(job, kind) ?? (stored === null ? answerLateness(job, kind) : null)
    if (refused !== null) return refused
    if (kind === "refund" && job.data.ownSecret != null) await recordLostPayout(job)
    const plan = stored ?? (await bindPlan(job, planned))
    const late = stored === null ? answerBoundPlan(job, kind, plan) : null
    if (late !== null) return late
    registerSignature(job, kind, plan)
    const worthUnits = kind === "redeem" ? orderWorth(job) : null
    const worth = worthUnits === null ? {} : { worthUnits }
    const context = { order: job.data.id, deposit: job.data.deposit, ...worth }
    return {
      event: {
        type: "transaction.signed",
        transaction: await chainOfPurpose(job, kind).signTransaction(plan, context),
      },
    }
  }
}

export const signTransactionWork: WorkEntry<"signTransaction"> = {
  perform: (job, { purpose }) => signTransaction(purpose)(job),
  lane: "account",
  spends: true,
  whilePaused: ({ purpose }, { data }) =>
    leadsToDeposit(purpose) && data.transactions[purpose].signed.length === 0 ? "waits" : "runs",
  onRefused: ({ purpose }) => (protectsFunds(purpose) ? "order.held" : "order.declined"),
  repeat: "The claim holds the plan with its nonce: same plan, same bytes (ADR 3, ADR 20).",
}

/** The plan of a claim without bytes; a claim of an earlier version has the digest of the order's own plan. */
function findStoredPlan(
  { context, data }: Job,
  kind: TransactionPurpose,
  plan: TransactionPlan,
): TransactionPlan | null {
  const open = context.journal.findOpenClaim(data.id, kind)
  if (open === null) return null
  if (open.digest === plan.digest) return plan
  const isSameTransaction = open.plan?.action === plan.action && open.attempt === plan.attempt
  return isSameTransaction && plan.action !== "void" && plan.attempt === 0 ? open.plan : null
}

/** Only a fee bump of a deposit gets here during a pause. Without the bump the order observes the attempt that is already sent. */
function answerPause({ context, data, paused }: Job, kind: TransactionPurpose): WorkResult | null {
  if (!paused || !leadsToDeposit(kind)) return null
  return data.transactions[kind].signed.length > 0 ? declineOrder(data.reasons) : deferUntilResumed(context)
}

/** Nothing is claimed yet, so an order that is too late ends here without a nonce to void. */
function answerLateness(job: Job, kind: TransactionPurpose): WorkResult | null {
  const isFirst = job.data.transactions[kind].signed.length === 0
  return leadsToDeposit(kind) && isFirst && isTooLate(job) ? declineAsTooLate(job) : null
}

/** A pause, the end of the order's time or an earlier order's bytes may have turned up while the node was asked for the nonce. */
function answerBoundPlan(job: Job, kind: TransactionPurpose, plan: TransactionPlan): WorkResult | null {
  const { context, data } = job
  if (leadsToDeposit(kind) && isOrderPausedNow(context, data)) return deferUntilResumed(context)
  const late = answerLateness({ ...job, nowMs: context.clock.now() }, kind)
  if (late !== null) return late
  return bindsLate(chainOfPurpose(job, kind), plan) ? answerRepeatedBytes(job, kind, plan) : null
}

function registerSignature(job: Job, kind: TransactionPurpose, plan: TransactionPlan): void {
  const { context, data, workId, nowMs } = job
  const { chain, account, attempt, digest, resources } = plan
  context.journal.claimSignature({
    ...{ orderId: data.id, purpose: kind, chain, account, attempt, digest, resources, plan },
    reserve: fullNames(chainOfPurpose(job, kind), plan),
    ...(workId === undefined ? {} : { cause: workId }),
    ...(data.ownSecret == null ? {} : { ownSecretHash: data.ownSecret.hash }),
    atMs: nowMs,
  })
}
