import type { Reason } from "#domain/reason.ts"
import { isNearLockEnd } from "#domain/redeem-fee-cap.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { MinedTransaction, OrderData, TransactionPurpose } from "#order/data.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountPrefix } from "../../context.ts"
import { noteLegUnread } from "../../watches/unread-legs.ts"
import { findForeignRival } from "../observe/find-foreign-rival.ts"
import {
  chainOfPurpose,
  declineAsTooLate,
  declineOrder,
  deferWork,
  holdForMissingGas,
  isTooLate,
  type Job,
  leadsToDeposit,
  type Performer,
  protectsFunds,
  reasonOf,
  saysDepositExists,
  sideOfPurpose,
  UNSENT_PATIENCE_MS,
} from "../observe/job.ts"
import {
  type AttemptObservation,
  landedTransaction,
  observeAttempts,
  withDoubts,
} from "../observe/observe-transaction.ts"
import { payoutWithSecret } from "../observe/prove-payout.ts"
import { readRedeemStake } from "../observe/time-to-redeem.ts"
import { planWithVoucher } from "../route/plan-with-voucher.ts"
import type { WorkResult } from "../stepper.ts"
import type { WorkEntry } from "../work-entry.ts"
import { answerRepeatedBytes } from "./answer-repeated-bytes.ts"
import { bindsLate, fullNames, planRequested, reserveWithPlan } from "./bind-plan.ts"
import { findChangedContracts } from "./check-contracts.ts"
import { holdAllowanceInOrder } from "./hold-allowance.ts"
import { findOpenCompanion } from "./open-companion.ts"
import { recheckFees } from "./recheck-fees.ts"

/**
 * Plans a transaction. The commit reserves the plan's inputs; a nonce is only bound and reserved
 * when the plan is signed.
 */
export function planTransaction(kind: PlannedKind): Performer {
  return async (job) => {
    if (kind === "deposit") {
      if (isTooLate(job)) return declineAsTooLate(job)
      const changed = await findChangedContracts(job)
      if (changed.length > 0) return declineOrder(changed)
    }
    const chain = chainOfPurpose(job, kind)
    if (kind === "revoke") return planRevocation(job, chain)
    if (kind === "redeem") return planOrObserve(job, kind, () => planRedemption(job, chain))
    if (kind === "refund")
      return planOrObserve(job, kind, () =>
        planRequest(job, chain, { kind, request: requestFor(job, kind) }),
      )
    if (kind !== "void") return planRequest(job, chain, { kind, request: requestFor(job, kind) })
    const attempts = await observeAttempts(chain, job.data, "deposit")
    const isOver = attempts.status === "mined" || (attempts.status === "excluded" && attempts.final)
    const result: WorkResult = isOver
      ? { event: { type: "deposit.unsettled" } }
      : await planVoid(job, chain)
    return withDoubts(result, attempts)
  }
}

export const planTransactionWork: WorkEntry<"planTransaction"> = {
  perform: (job, { purpose }) => planTransaction(purpose)(job),
  lane: "account",
  spends: false,
  whilePaused: ({ purpose }) => (leadsToDeposit(purpose) ? "waits" : "runs"),
  onRefused: ({ purpose }) => (protectsFunds(purpose) ? "order.held" : "order.declined"),
  repeat: "The plan is not signed yet; the second run plans again.",
}

/** `checkAllowance` plans the approval, because it reads the allowance in the same lane. */
type PlannedKind = Exclude<TransactionPurpose, "approve">

/**
 * These refusals can pass with time. Any other refusal ends the order, because nothing is signed
 * yet.
 */
const TEMPORARY_REFUSALS = ["fees.above_cap", "funds.insufficient", "funds.gas"]

/**
 * A node behind the one that mined our approval simulates the deposit as failing, so the plan is
 * tried a few times.
 */
const SIMULATION_TRIES = 4

/**
 * The void of a deposit whose approval is not mined either voids both: no block has the later nonce
 * without the earlier one.
 */
async function planVoid(job: Job, chain: ChainPort): Promise<WorkResult> {
  const own = await planRequest(job, chain, { kind: "void", request: requestFor(job, "void") })
  const companion =
    own.event.type === "transaction.planned" ? await findOpenCompanion(job, chain, "void") : null
  if (own.event.type !== "transaction.planned" || companion?.purpose !== "approve") return own
  const request: TransactionRequest = { action: "void", voids: companion.transaction.plan }
  const plan = await chain.planTransaction(request, new Set())
  if ("refused" in plan) return answerRefusal(job, "void", plan.refused)
  const reserve = [...fullNames(chain, plan), ...(own.reserve ?? [])]
  return { event: { ...own.event, companion: { purpose: "revoke", plan } }, reserve }
}

async function planRevocation(job: Job, chain: ChainPort): Promise<WorkResult> {
  const { approve } = job.data.transactions
  const isSettled = approve.signed.length === 0 || approve.mined?.final === true
  const seen = isSettled ? null : await observeAttempts(chain, job.data, "approve")
  const answer = async (
    revocation: Revocation | NothingToRevoke | "unsure",
  ): Promise<WorkResult> => {
    if (revocation === "unsure") return deferWork(job.data.reasons)
    if ("landed" in revocation) return endWithoutRevocation(job, revocation.landed, seen)
    return planRequest(job, chain, { kind: "revoke", ...revocation })
  }
  try {
    return withDoubts(await answer(await requestRevocation(job, chain, seen)), seen ?? {})
  } catch (error) {
    const held = holdBehindHeldOrder(job, error)
    if (held === null) throw error
    return withDoubts(held, seen ?? {})
  }
}

/**
 * Holds an order whose revocation has waited for `UNSENT_PATIENCE_MS` behind an order that is held
 * itself; `null` for any other error.
 */
function holdBehindHeldOrder({ context, data, nowMs }: Job, error: unknown): WorkResult | null {
  if (!(error instanceof AppError) || error.code !== "journal.resource_taken") return null
  const holder = String(error.details["holder"])
  if (
    context.journal.findOrder(holder)?.state !== "held" ||
    nowMs - data.stateSince <= UNSENT_PATIENCE_MS
  )
    return null
  const message =
    `Order ${holder} holds the allowance and waits for an operator: decide on it, then ` +
    `\`ballast retry\` this order`
  return { event: { type: "order.held", reasons: [{ code: "revoke.blocked", message, holder }] } }
}

async function planRequest(
  job: Job,
  chain: ChainPort,
  { kind, request, lock }: Revocation & { readonly kind: PlannedKind },
): Promise<WorkResult> {
  const plan = await planOrWait(chain, request, listReservedByOthers(job, chain))
  return answerPlan(job, chain, { kind, plan, lock })
}

/**
 * The order's own resources do not block its plan: they are used up, or the plan uses them again.
 */
function listReservedByOthers({ context, data }: Job, chain: ChainPort): ReadonlySet<string> {
  return context.journal.listReserved(accountPrefix(chain), data.id)
}

type PlanAnswer = {
  readonly kind: PlannedKind
  readonly plan: Awaited<ReturnType<typeof planOrWait>>
  readonly lock?: string | undefined
}

function answerPlan(job: Job, chain: ChainPort, { kind, plan, lock }: PlanAnswer): WorkResult {
  if ("unvoidable" in plan) return deferWork([plan.unvoidable])
  if ("refused" in plan) return answerRefusal(job, kind, plan.refused)
  const repeated = bindsLate(chain, plan) ? null : answerRepeatedBytes(job, kind, plan)
  if (repeated !== null) return repeated
  return {
    event: { type: "transaction.planned", plan },
    reserve: [...(lock === undefined ? [] : [lock]), ...reserveWithPlan(chain, plan)],
    ...(kind === "deposit" ? { recheck: recheckFees(job, { deposit: plan }) } : {}),
  }
}

export function answerRefusal(job: Job, kind: PlannedKind, reasons: readonly Reason[]): WorkResult {
  const { refusalsOfLaggingNodes } = chainOfPurpose(job, kind).traits
  const early = job.data.tries < SIMULATION_TRIES
  const passing = reasons.every(
    ({ code }) =>
      TEMPORARY_REFUSALS.includes(code) || (early && refusalsOfLaggingNodes.includes(code)),
  )
  // Only the relay could have made this deposit beside us: without a signature of ours out there, a
  // person must look.
  const isUnexplained = job.data.gasless === null && saysDepositExists(job, reasons)
  if (kind === "deposit" && isUnexplained) return { event: { type: "order.held", reasons } }
  if ((kind === "deposit" || kind === "refund" || kind === "redeem") && !passing)
    return declineOrder(reasons)
  return (kind !== "deposit" ? holdForMissingGas(job, kind, reasons) : null) ?? deferWork(reasons)
}

/**
 * No allowance is left to revoke. No later work observes the approval, so this result books its
 * fee, or that another transaction excluded it.
 */
function endWithoutRevocation(
  job: Job,
  landed: MinedTransaction | null,
  approval: AttemptObservation | null,
): WorkResult {
  const excluded = approval?.status === "excluded" ? ({ excluded: "approve" } as const) : {}
  const foreign =
    approval?.status === "excluded" ? findForeignRival(job, "approve", approval.by) : null
  // A retry after the alarm accepts the rival: without an allowance nothing is left to protect.
  if (foreign !== null && !job.data.alerted.includes(foreign.code))
    return { event: { type: "order.held", reasons: [foreign], ...excluded } }
  const reasons = [
    ...job.data.reasons,
    { code: "revoke.unneeded", message: "No allowance was left" },
  ]
  return {
    event: { type: "order.declined", reasons, ...(landed === null ? {} : { landed }), ...excluded },
  }
}

/**
 * On Solana no transaction can void a deposit: its blockhash expires instead. Until then this work
 * observes the deposit before each new try, and waits.
 */
async function planOrWait(
  chain: ChainPort,
  request: TransactionRequest,
  reserved: ReadonlySet<string>,
): Promise<Awaited<ReturnType<ChainPort["planTransaction"]>> | { readonly unvoidable: Reason }> {
  try {
    return await planRequested(chain, request, reserved)
  } catch (error) {
    if (
      request.action !== "void" ||
      !(error instanceof AppError) ||
      error.disposition !== "refused"
    )
      throw error
    return { unvoidable: reasonOf(error) }
  }
}

/**
 * After some tries without a plan the order observes its HTLCs again: they may be closed meanwhile,
 * and only an observation tells it, and raises the alarms. While the payout or the refund is due,
 * the order comes back.
 */
async function planOrObserve(
  job: Job,
  kind: "refund" | "redeem",
  plan: () => Promise<WorkResult>,
): Promise<WorkResult> {
  try {
    return await plan()
  } catch (error) {
    if (!(error instanceof AppError && WITHOUT_ANSWER.includes(error.disposition))) throw error
    noteLegUnread(job.context, job.data, sideOfPurpose(kind), error)
    if (job.data.tries < PLAN_TRIES) throw error
    return declineOrder([reasonOf(error)])
  }
}

/** A plan writes nothing, so nothing of it is uncertain. */
const WITHOUT_ANSWER: readonly Disposition[] = ["transient", "uncertain"]

/** With the growing waits between tries this takes about five seconds. */
const PLAN_TRIES = 4

async function planRedemption(job: Job, chain: ChainPort): Promise<WorkResult> {
  if (abilitiesOf(job.data).redeem === "voucher") {
    const plan = await planWithVoucher(job, chain, listReservedByOthers(job, chain))
    return answerPlan(job, chain, { kind: "redeem", plan })
  }
  return planRequest(job, chain, { kind: "redeem", request: await requestRedemption(job) })
}

async function requestRedemption(job: Job): Promise<TransactionRequest> {
  const lock = mustExist(await readRedeemStake(job), "the payout's lock")
  const urgency = isNearLockEnd(lock) ? { stake: lock } : { pace: lock }
  return { action: "redeem", asset: job.data.request.to, ...payoutWithSecret(job), ...urgency }
}

function requestFor(job: Job, kind: Exclude<PlannedKind, "revoke" | "redeem">): TransactionRequest {
  const { data } = job
  const deposit = mustExist(data.deposit, "the verified deposit")
  const asset = data.request.from
  switch (kind) {
    case "deposit":
      return { action: "initiate", asset, deposit }
    case "refund":
      return {
        action: "refund",
        asset,
        deposit,
        swapId: mustExist(data.serviceOrder, "the order read back").source.swapId,
      }
    case "void":
      return {
        action: "void",
        voids: mustExist(data.transactions.deposit.signed.at(-1), "the signed deposit").plan,
      }
  }
}

/**
 * Chooses how to revoke the approval: void a transaction that no block has yet, or set a mined
 * allowance to zero.
 *
 * An approval that is not mined may land at any time, so another transaction takes its nonce. For
 * one that is mined or excluded, the chain's allowance decides. "No allowance is left" is believed
 * only when the approval is final and the node knows its block. When only this order could have
 * used the allowance, a missing allowance is unexpected, and the node must repeat the answer
 * `MISSING_ALLOWANCE_TRIES` times. When too few endpoints answer for an agreement, the order
 * revokes without knowing the allowance: at worst that costs a fee.
 */
async function requestRevocation(
  job: Job,
  chain: ChainPort,
  seen: AttemptObservation | null,
): Promise<Revocation | NothingToRevoke | "unsure"> {
  const { data } = job
  if (seen?.status === "pending" || seen?.status === "unseen") {
    const voids = mustExist(data.transactions.approve.signed.at(-1), "the signed approval").plan
    return { request: { action: "void", voids } }
  }
  const asset = data.request.from
  const spender = mustExist(data.deposit, "the verified deposit").htlc
  // A deposit frees its hold. When a reorganisation removes that deposit, the allowance on chain
  // may be that of an order that has it alone.
  const lock = holdAllowanceInOrder(job, asset, spender)
  const isPatient = data.tries < UNREAD_TRIES
  // The height comes first: an allowance that is read after it is at least as new.
  const height = await readUnlessSilent(isPatient, () => chain.fetchHeight())
  const left = await readUnlessSilent(isPatient, () =>
    chain.findMissingApproval(asset, spender, 0n),
  )
  if (height === undefined || left !== null)
    return { request: { action: "approve", asset, spender, units: 0n }, lock }
  const landed = seen === null ? null : landedTransaction("approve", seen)
  const isFinal = seen === null || seen.final
  return isFinal && isAllowanceUseKnown(data, height, landed) ? { landed } : "unsure"
}

/** `undefined`: the endpoints cannot agree, and the work has waited for them long enough. */
async function readUnlessSilent<T>(
  isPatient: boolean,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isPatient || !(error instanceof AppError) || error.disposition !== "transient") throw error
    return undefined
  }
}

/** With the growing waits between tries this takes about five seconds. */
const UNREAD_TRIES = 4

/**
 * The node knows the approval's block, and a missing allowance is expected, or the node has
 * repeated that answer often enough.
 */
function isAllowanceUseKnown(
  data: OrderData,
  height: bigint,
  landed: MinedTransaction | null,
): boolean {
  const earlier = data.mined.find(({ purpose, ok }) => purpose === "approve" && ok)
  const minedApproval = data.transactions.approve.mined ?? (landed?.ok ? landed : (earlier ?? null))
  if (minedApproval === null) return true
  const isUnexpected = data.gasless === null && data.tries < MISSING_ALLOWANCE_TRIES
  return !isUnexpected && height >= minedApproval.height
}

type Revocation = { readonly request: TransactionRequest; readonly lock?: string }
type NothingToRevoke = { readonly landed: MinedTransaction | null }
/** With the growing waits between tries this takes a little over a minute. */
const MISSING_ALLOWANCE_TRIES = 10
