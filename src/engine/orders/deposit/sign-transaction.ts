import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { SignatureClaim } from "#ports/signing-record.ts"
import {
  chainOfPurpose,
  declineAsTooLate,
  declineOrder,
  deferWhileStopped,
  isTooLate,
  type Job,
  leadsToDeposit,
  type Performer,
  protectsFunds,
} from "../observe/job.ts"
import { recordLostPayout } from "../observe/prove-payout.ts"
import { orderWorth, unlessOver } from "../observe/time-to-redeem.ts"
import type { WorkResult } from "../stepper.ts"
import type { WorkEntry } from "../work-entry.ts"
import { answerRepeatedBytes } from "./answer-repeated-bytes.ts"
import { bindPair, bindPlan, bindsLate, fullNames } from "./bind-plan.ts"
import { findPlannedCompanion, type PlannedCompanion } from "./companion.ts"
import { holdAllowanceInOrder } from "./hold-allowance.ts"

/**
 * Binds the plan to its nonce, claims the signature in the journal, then signs. The commit stores
 * the bytes before any node receives them.
 *
 * After a crash between claim and commit, the claimed plan is signed again: same bytes.
 */
export function signTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    const planned = mustExist(job.data.transactions[kind].plan, `the planned ${kind}`)
    const beside = findPlannedCompanion(job.data, kind)
    const stored = findStoredPlan(job, kind, planned)
    const refused = answerStop(job, kind) ?? (stored === null ? answerLateness(job, kind) : null)
    if (refused !== null) return refused
    if (kind === "refund" && job.data.ownSecret != null) await recordLostPayout(job)
    const hold = kind === "deposit" && beside !== null ? [holdForPair(job)] : []
    const bound = await bindPlans(job, { planned, stored, beside })
    // A pause may have begun since this work did.
    const late =
      answerStop(job, kind) ?? (stored === null ? answerBoundPlan(job, kind, bound.plan) : null)
    if (late !== null) return late
    registerSignatures(job, kind, bound, hold)
    // The claim holds the nonce. The next claims share its fsync, and their signatures follow it
    // together. An allowance keeps its order until it is signed.
    if (bound.companion === null && kind !== "approve" && kind !== "revoke") job.leaveLane?.()
    const chain = chainOfPurpose(job, kind)
    const worthUnits = kind === "redeem" ? orderWorth(job) : null
    const worth = worthUnits === null ? {} : { worthUnits }
    const context = { order: job.data.id, deposit: job.data.deposit, ...worth }
    const { companion } = bound
    const first =
      companion === null
        ? null
        : { ...companion, transaction: await chain.signTransaction(companion.plan, context) }
    const transaction = await chain.signTransaction(bound.plan, context)
    if (first === null) return { event: { type: "transaction.signed", transaction } }
    const { purpose } = first
    const signed = { purpose, transaction: first.transaction }
    return { event: { type: "transaction.signed", transaction, companion: signed } }
  }
}

type Bound = { readonly plan: TransactionPlan; readonly companion: PlannedCompanion | null }

/**
 * A pair gets two adjacent nonces at once. Both of its claims were registered together, so after a
 * crash both are stored or neither is.
 */
async function bindPlans(
  job: Job,
  {
    planned,
    stored,
    beside,
  }: {
    readonly planned: TransactionPlan
    readonly stored: TransactionPlan | null
    readonly beside: PlannedCompanion | null
  },
): Promise<Bound> {
  if (beside === null) return { plan: stored ?? (await bindPlan(job, planned)), companion: null }
  const known = findStoredPlan(job, beside.purpose, beside.plan)
  if (stored !== null) return { plan: stored, companion: { ...beside, plan: known ?? beside.plan } }
  const [first, plan] = await bindPair(job, [beside.plan, planned])
  return { plan, companion: { ...beside, plan: first } }
}

function holdForPair(job: Job): string {
  const { htlc } = mustExist(job.data.deposit, "the verified deposit")
  return holdAllowanceInOrder(job, job.data.request.from, htlc)
}

export const signTransactionWork: WorkEntry<"signTransaction"> = {
  perform: (job, { purpose }) => unlessOver(job, purpose, signTransaction(purpose)),
  lane: "account",
  spends: true,
  whilePaused: ({ purpose }, { data }) =>
    leadsToDeposit(purpose) && data.transactions[purpose].signed.length === 0 ? "waits" : "runs",
  onRefused: ({ purpose }) => (protectsFunds(purpose) ? "order.held" : "order.declined"),
  repeat: "The claim holds the plan with its nonce: same plan, same bytes (ADR 3, ADR 20).",
}

/**
 * The plan of a claim without bytes; a claim restored from the signer's record has the digest of
 * the order's own plan.
 */
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

/**
 * Only a fee bump of a deposit gets here during a pause. Without the bump the order observes the
 * attempt that is already sent.
 */
function answerStop(job: Job, kind: TransactionPurpose): WorkResult | null {
  const stopped = leadsToDeposit(kind) ? deferWhileStopped(job) : null
  const isBump = job.data.transactions[kind].signed.length > 0
  return stopped !== null && isBump ? declineOrder(job.data.reasons) : stopped
}

/** Nothing is claimed yet, so an order that is too late ends here without a nonce to void. */
function answerLateness(job: Job, kind: TransactionPurpose): WorkResult | null {
  const isFirst = job.data.transactions[kind].signed.length === 0
  return leadsToDeposit(kind) && isFirst && isTooLate(job) ? declineAsTooLate(job) : null
}

/**
 * The end of the order's time or an earlier order's bytes may have turned up while the node was
 * asked for the nonce.
 */
function answerBoundPlan(
  job: Job,
  kind: TransactionPurpose,
  plan: TransactionPlan,
): WorkResult | null {
  const late = answerLateness({ ...job, nowMs: job.context.clock.now() }, kind)
  if (late !== null) return late
  return bindsLate(chainOfPurpose(job, kind), plan) ? answerRepeatedBytes(job, kind, plan) : null
}

function registerSignatures(
  job: Job,
  kind: TransactionPurpose,
  { plan, companion }: Bound,
  hold: readonly string[],
): void {
  const signature = signatureOf(job, kind, plan, hold)
  if (companion === null) job.context.journal.claimSignature(signature)
  else
    job.context.journal.claimSignature(
      signature,
      signatureOf(job, companion.purpose, companion.plan, []),
    )
}

function signatureOf(
  job: Job,
  kind: TransactionPurpose,
  plan: TransactionPlan,
  hold: readonly string[],
): SignatureClaim {
  const { data, workId, nowMs } = job
  const { chain, account, attempt, digest, resources } = plan
  return {
    orderId: data.id,
    purpose: kind,
    chain,
    account,
    attempt,
    digest,
    resources,
    plan,
    reserve: [...hold, ...fullNames(chainOfPurpose(job, kind), plan)],
    ...(workId === undefined ? {} : { cause: workId }),
    ...(data.ownSecret == null ? {} : { ownSecretHash: data.ownSecret.hash }),
    ...(tellsNoSecret(data) ? { tellsNoSecret: true as const } : {}),
    atMs: nowMs,
  }
}

/** The secret is shown already, or a voucher takes the payout. */
function tellsNoSecret(data: OrderData): boolean {
  if (data.ownSecret !== null) return data.ownSecret.isShown === true
  return abilitiesOf(data).redeem === "voucher"
}
